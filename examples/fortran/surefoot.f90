! Surefoot for Fortran: the functions of surefoot.h that a search needs. Declare others in the same way.
module surefoot
  use, intrinsic :: iso_c_binding
  implicit none

  abstract interface
    function sf_function(n, x, data) bind(c) result(value)
      import :: c_int, c_double, c_ptr
      integer(c_int), value :: n
      real(c_double), intent(in) :: x(n)
      type(c_ptr), value :: data
      real(c_double) :: value
    end function
  end interface

  interface
    function sf_new(n, x0, sigma0, error, error_size) bind(c) result(search)
      import :: c_int, c_double, c_char, c_size_t, c_ptr
      integer(c_int), value :: n
      real(c_double), intent(in) :: x0(*)
      real(c_double), value :: sigma0
      character(kind=c_char), intent(out) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: search
    end function

    subroutine sf_free(search) bind(c)
      import :: c_ptr
      type(c_ptr), value :: search
    end subroutine

    function sf_set_c(search, option, text) bind(c, name="sf_set") result(status)
      import :: c_int, c_char, c_ptr
      type(c_ptr), value :: search
      character(kind=c_char), intent(in) :: option(*), text(*)
      integer(c_int) :: status
    end function

    function sf_ask(search, population, popsize) bind(c) result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: search
      type(c_ptr), intent(out) :: population
      integer(c_int), intent(out) :: popsize
      integer(c_int) :: status
    end function

    function sf_tell(search, values) bind(c) result(status)
      import :: c_int, c_double, c_ptr
      type(c_ptr), value :: search
      real(c_double), intent(in) :: values(*)
      integer(c_int) :: status
    end function

    function sf_minimize_c(search, f, data) bind(c, name="sf_minimize") result(status)
      import :: c_int, c_ptr, c_funptr
      type(c_ptr), value :: search, data
      type(c_funptr), value :: f
      integer(c_int) :: status
    end function

    function sf_stop(search) bind(c) result(reason)
      import :: c_int, c_ptr
      type(c_ptr), value :: search
      integer(c_int) :: reason
    end function

    function sf_best(search, x) bind(c) result(value)
      import :: c_double, c_ptr
      type(c_ptr), value :: search
      real(c_double), intent(out) :: x(*)
      real(c_double) :: value
    end function

    function sf_nfev(search) bind(c) result(count)
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: search
      integer(c_int64_t) :: count
    end function

    function sf_message_c(search) bind(c, name="sf_message") result(text)
      import :: c_ptr
      type(c_ptr), value :: search
      type(c_ptr) :: text
    end function

    function strlen(text) bind(c) result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  function sf_set(search, option, text) result(status)
    type(c_ptr), intent(in) :: search
    character(*), intent(in) :: option, text
    integer(c_int) :: status
    status = sf_set_c(search, trim(option)//c_null_char, trim(text)//c_null_char)
  end function

  function sf_minimize(search, f) result(status)
    type(c_ptr), intent(in) :: search
    procedure(sf_function) :: f
    integer(c_int) :: status
    status = sf_minimize_c(search, c_funloc(f), c_null_ptr)
  end function

  function sf_message(search) result(message)
    type(c_ptr), intent(in) :: search
    character(:), allocatable :: message
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: text
    integer :: i
    text = sf_message_c(search)
    call c_f_pointer(text, letters, [strlen(text)])
    allocate (character(size(letters)) :: message)
    do i = 1, size(letters)
      message(i:i) = letters(i)
    end do
  end function

end module
