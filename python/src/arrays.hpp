#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "surefoot/types.hpp"

namespace surefoot::python {

namespace py = pybind11;

using Array = py::array_t<double, py::array::c_style>;

/// Doubles in rows, without a copy where the object has them so. The rest is left to Python (surefoot/_arrays.py),
/// which converts or refuses it with a message about `name`.
Array as_array(const char* name, const py::object& object);

/// One number for each coordinate or candidate.
Vector as_vector(const char* name, const py::object& object);

Array to_array(const Vector& v);

/// Columns become rows: both lie in memory one after the other.
Array rows_of(const Matrix& columns);

}  // namespace surefoot::python
