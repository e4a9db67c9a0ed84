"""The C interface from Python without the package: minimize.py libsurefoot_c.so. The package `surefoot` is handier."""

import ctypes
import math
import sys

FUNCTION = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.POINTER(ctypes.c_double), ctypes.c_void_p)


def load(path):
    library = ctypes.CDLL(path)
    library.sf_new.restype = ctypes.c_void_p
    library.sf_new.argtypes = [
        ctypes.c_int,
        ctypes.POINTER(ctypes.c_double),
        ctypes.c_double,
        ctypes.c_char_p,
        ctypes.c_size_t,
    ]
    library.sf_free.argtypes = [ctypes.c_void_p]
    library.sf_set.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
    library.sf_minimize.argtypes = [ctypes.c_void_p, FUNCTION, ctypes.c_void_p]
    library.sf_interrupt.argtypes = [ctypes.c_void_p]
    library.sf_best.restype = ctypes.c_double
    library.sf_best.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_double)]
    library.sf_nfev.restype = ctypes.c_int64
    library.sf_nfev.argtypes = [ctypes.c_void_p]
    library.sf_message.restype = ctypes.c_char_p
    library.sf_message.argtypes = [ctypes.c_void_p]
    return library


def guarded(library, search, f, trouble):
    """The function for the library. ctypes would print an exception and return 0, as if that were the value."""

    def evaluate(n, x, _):
        try:
            return float(f(x[:n]))
        except BaseException as error:
            trouble.append(error)
            library.sf_interrupt(search)
            return math.nan

    return FUNCTION(evaluate)


def minimize(library, f, x0, sigma0, **options):
    n = len(x0)
    trouble = []
    Point = ctypes.c_double * n
    error = ctypes.create_string_buffer(256)
    search = library.sf_new(n, Point(*x0), sigma0, error, len(error))
    if not search:
        raise ValueError(error.value.decode())
    try:
        for name, value in options.items():
            if library.sf_set(search, name.encode(), str(value).encode()):
                raise ValueError(library.sf_message(search).decode())
        status = library.sf_minimize(search, guarded(library, search, f, trouble), None)
        if trouble:
            raise trouble[0]
        if status:
            raise ValueError(library.sf_message(search).decode())
        x = Point()
        best = library.sf_best(search, x)
        return list(x), best, library.sf_nfev(search), library.sf_message(search).decode()
    finally:
        library.sf_free(search)


def sphere(x):
    total = 0.0
    for xi in x:
        total += xi * xi
    return total


if __name__ == "__main__":
    library = load(sys.argv[1])
    x, best, nfev, message = minimize(library, sphere, [3, 3, 3], 2, ftarget=1e-8, seed=1)
    print(message)
    print(f"f = {best:.16e} after {nfev} evaluations")
