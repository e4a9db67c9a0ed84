#pragma once

#include <pybind11/pybind11.h>

#include "surefoot/options.hpp"

namespace surefoot::python {

/// Options from keyword arguments: None stands for the default. Functions that are called once a generation are not
/// among them.
/// \throws std::invalid_argument for a value of the wrong kind, naming it.
Options read_options(const pybind11::dict& given);

/// Defaults by the names of the options.
pybind11::dict option_defaults();

/// The options that `without_tolerances` changes, with the values that it gives them.
pybind11::dict option_values_without_tolerances();

}  // namespace surefoot::python
