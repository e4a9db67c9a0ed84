! One call, then the same search by ask and tell: gfortran surefoot.f90 minimize.f90 -lsurefoot_c
module objective
  use, intrinsic :: iso_c_binding
  implicit none

contains

  function sphere(n, x, data) bind(c) result(value)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(c_ptr), value :: data
    real(c_double) :: value
    integer :: i
    value = 0
    do i = 1, n
      value = value + x(i) * x(i)
    end do
  end function

end module

program minimize
  use surefoot
  use objective
  implicit none
  real(c_double), parameter :: x0(3) = [3, 3, 3]
  real(c_double) :: value, x(3)
  type(c_ptr) :: search

  search = begun()
  if (sf_minimize(search, sphere) /= 0) call fail(search)
  value = sf_best(search, x)
  call report(search, value, x)
  call sf_free(search)

  search = begun()
  call ask_and_tell(search)
  if (sf_best(search, x) /= value) error stop "ask and tell give another result"
  call sf_free(search)

contains

  function begun() result(s)
    type(c_ptr) :: s
    character(kind=c_char) :: error(256)
    s = sf_new(3, x0, 2d0, error, size(error, kind=c_size_t))
    if (.not. c_associated(s)) error stop "sf_new"
    if (sf_set(s, "ftarget", "1e-8") /= 0) call fail(s)
    if (sf_set(s, "seed", "1") /= 0) call fail(s)
  end function

  subroutine ask_and_tell(s)
    type(c_ptr), intent(in) :: s
    type(c_ptr) :: points
    real(c_double), pointer :: population(:, :)
    real(c_double), allocatable :: values(:)
    integer(c_int) :: popsize, i
    do while (sf_stop(s) == 0)
      if (sf_ask(s, points, popsize) /= 0) call fail(s)
      call c_f_pointer(points, population, [3, popsize])
      allocate (values(popsize))
      do i = 1, popsize
        values(i) = sphere(3, population(:, i), c_null_ptr)
      end do
      if (sf_tell(s, values) /= 0) call fail(s)
      deallocate (values)
    end do
  end subroutine

  subroutine report(s, f, at)
    type(c_ptr), intent(in) :: s
    real(c_double), intent(in) :: f, at(3)
    print "(a)", sf_message(s)
    print "(a, es24.16, a, i0, a)", "f =", f, " after ", sf_nfev(s), " evaluations"
    if (sum(at * at) > 1d-8) error stop "the point does not have the value"
  end subroutine

  subroutine fail(s)
    type(c_ptr), intent(in) :: s
    print "(a)", sf_message(s)
    error stop 1
  end subroutine

end program
