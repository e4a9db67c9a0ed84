! Reads a namelist from beam.nml and prints its cost among other lines.
program beam
  implicit none
  double precision :: rate, cost
  integer :: layers
  namelist /input/ rate, layers
  open (10, file='beam.nml', status='old')
  read (10, nml=input)
  close (10)
  cost = log10(rate / 0.01d0)**2 + 0.1d0 * (layers - 4)**2
  print '(a,es24.16)', 'first cost = ', 99d0
  print '(a,es24.16)', 'final cost = ', cost
  print '(a)', 'beam has ended'
end program beam
