#include "arrays.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace surefoot::python {

Array as_array(const char* name, const py::object& object) {
  if (py::isinstance<Array>(object)) return py::reinterpret_borrow<Array>(object);
  // NOLINTNEXTLINE(modernize-return-braced-init-list): the constructor is explicit
  return Array(py::module_::import("surefoot._arrays").attr("as_floats")(name, object));
}

Vector as_vector(const char* name, const py::object& object) {
  const Array array = as_array(name, object);
  if (array.ndim() != 1) {
    throw std::invalid_argument(std::string(name) + ": an array of " + std::to_string(array.ndim()) +
                                " dimensions is not allowed: it must have one");
  }
  return Eigen::Map<const Vector>(array.data(), array.size());
}

Array to_array(const Vector& v) {
  Array array(v.size());
  std::copy_n(v.data(), v.size(), array.mutable_data());
  return array;
}

Array rows_of(const Matrix& columns) {
  Array array({columns.cols(), columns.rows()});
  std::copy_n(columns.data(), columns.size(), array.mutable_data());
  return array;
}

}  // namespace surefoot::python
