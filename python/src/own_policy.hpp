#pragma once

#include <pybind11/pybind11.h>

#include "surefoot/learning_rate.hpp"

namespace surefoot::python {

namespace py = pybind11;

/// A learning-rate policy that is written in Python: `make(context)` gives an object with `first()` and `next(step)`,
/// and with `state()` and `restore(numbers)` if it remembers something. \throws std::invalid_argument if `make` cannot
/// be called.
LearningRate own_policy(const py::object& make);

}  // namespace surefoot::python
