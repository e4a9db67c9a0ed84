#pragma once

#include "arrays.hpp"

namespace surefoot::python {

/// Adds the class of fits.
void add_fit(py::module_& module);

}  // namespace surefoot::python
