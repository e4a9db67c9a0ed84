#include "option_reader.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "arrays.hpp"
#include "core/invalid_option.hpp"
#include "driver/option_fields.hpp"
#include "own_policy.hpp"

namespace surefoot::python {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

[[noreturn]] void refuse(const std::string& name, const py::handle& value, const char* allowed) {
  reject(name, std::string(py::repr(value)), allowed);
}

double number_of(const std::string& name, const py::handle& value) {
  if (PyBool_Check(value.ptr()) != 0 || PyNumber_Check(value.ptr()) == 0 || PyComplex_Check(value.ptr()) != 0) {
    refuse(name, value, "it must be a number");
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse(name, value, "it must be a number");
  }
  return number;
}

/// Python's int, NumPy's, or a float without fraction: 1e5 evaluations are a number that people write.
py::int_ integer_of(const std::string& name, const py::handle& value) {
  if (PyBool_Check(value.ptr()) == 0) {
    if (PyIndex_Check(value.ptr()) != 0) {
      if (PyObject* integer = PyNumber_Index(value.ptr())) return py::reinterpret_steal<py::int_>(integer);
      PyErr_Clear();  // an array of several, for example
    }
    if (PyFloat_Check(value.ptr()) != 0) {
      const double number = PyFloat_AsDouble(value.ptr());
      if (std::floor(number) == number && std::abs(number) < 9e15) return {static_cast<std::int64_t>(number)};
    }
  }
  refuse(name, value, "it must be an integer");
}

template <class Integer>
Integer ranged_integer(const std::string& name, const py::handle& value) {
  const py::int_ integer = integer_of(name, value);
  try {
    return integer.cast<Integer>();
  } catch (const py::cast_error&) {
    refuse(name, value, std::is_unsigned_v<Integer> ? "it must be from 0 to 2^64 - 1" : "it is too large");
  }
}

std::string text_of(const std::string& name, const py::handle& value) {
  if (!py::isinstance<py::str>(value)) refuse(name, value, "it must be a string");
  return value.cast<std::string>();
}

/// Sets the members of Options that keyword arguments name.
class OptionReader {
 public:
  explicit OptionReader(const py::dict& given) : given_(given) {}

  template <class T>
  void operator()(const char* name, T& member) const {
    if (!given_.contains(name)) return;
    const py::object value = given_[name];
    if (!value.is_none()) read(name, value, member);
  }

 private:
  static void read(const char* name, const py::object& value, double& member) { member = number_of(name, value); }
  static void read(const char* name, const py::object& value, int& member) {
    member = ranged_integer<int>(name, value);
  }
  static void read(const char* name, const py::object& value, bool& member) {
    if (PyBool_Check(value.ptr()) == 0) refuse(name, value, "it must be True or False");
    member = value.cast<bool>();
  }
  static void read(const char* name, const py::object& value, std::string& member) { member = text_of(name, value); }
  static void read(const char* name, const py::object& value, LearningRate& member) {
    member = py::isinstance<py::str>(value) ? LearningRate(text_of(name, value)) : own_policy(value);
  }
  static void read(const char* name, const py::object& value, Batch& member) {
    if (py::isinstance<py::str>(value)) {
      member = text_of(name, value);
    } else if ((member = ranged_integer<int>(name, value)).size < 1) {  // 0 would be auto
      refuse(name, value, "it must be auto or from 1 to 10000");
    }
  }
  static void read(const char* name, const py::object& value, Noise& member) {
    member = py::isinstance<py::str>(value) ? Noise(text_of(name, value)) : Noise(number_of(name, value));
  }
  static void read(const char* name, const py::object& value, Restarts& member) { member = text_of(name, value); }
  static void read(const char* name, const py::object& value, std::optional<double>& member) {
    const double number = number_of(name, value);
    if (number == infinity && std::string(name) == "timeout") return;  // no limit, as others write it
    member = number;
  }
  static void read(const char* name, const py::object& value, std::optional<std::int64_t>& member) {
    const bool is_unlimited = PyFloat_Check(value.ptr()) != 0 && PyFloat_AsDouble(value.ptr()) == infinity;
    member = is_unlimited ? std::numeric_limits<std::int64_t>::max() : ranged_integer<std::int64_t>(name, value);
  }
  template <class Integer>
  static void read(const char* name, const py::object& value, std::optional<Integer>& member) {
    member = ranged_integer<Integer>(name, value);
  }
  static void read(const char* name, const py::object& value, Bounds& member) {
    const auto sides = value.cast<py::tuple>();
    member = {as_vector(name, sides[0]), as_vector(name, sides[1])};
  }
  static void read(const char* name, const py::object& value, PointList& member) {
    for (const py::handle point : value) {
      member.push_back(as_vector(name, py::reinterpret_borrow<py::object>(point)));
    }
  }
  static void read(const char* name, const py::object& value, std::function<Point(std::int64_t)>& member) {
    member = [name, value](std::int64_t run) -> Point {
      const py::gil_scoped_acquire acquire;
      return as_vector(name, value(run));
    };
  }
  template <class Result, class... Arguments>
  static void read(const char* /*name*/, const py::object& /*value*/, std::function<Result(Arguments...)>& /*member*/) {
  }

  const py::dict& given_;
};

/// Writes the members of Options to a dictionary; None stands for what has no value of Python's.
class OptionWriter {
 public:
  explicit OptionWriter(py::dict& values) : values_(values) {}

  template <class T>
  void operator()(const char* name, const T& member) const {
    values_[name] = value_of(member);
  }

 private:
  template <class T>
  static py::object value_of(const T& member) {
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return py::cast(member);
    } else if constexpr (std::is_same_v<T, Batch>) {
      return member.is_automatic() ? py::object(py::str("auto")) : py::cast(member.size);
    } else if constexpr (std::is_same_v<T, LearningRate> || std::is_same_v<T, Restarts> || std::is_same_v<T, Noise>) {
      return py::str(member.text());
    } else {
      return py::none();
    }
  }
  template <class T>
  static py::object value_of(const std::optional<T>& member) {
    return member ? value_of(*member) : py::none();
  }

  py::dict& values_;
};

py::dict values_of(Options options) {
  py::dict values;
  visit_options(options, OptionWriter(values));
  return values;
}

}  // namespace

py::dict option_defaults() { return values_of({}); }

py::dict option_values_without_tolerances() {
  const py::dict defaults = option_defaults();
  py::dict changed;
  for (const auto& [name, value] : values_of(without_tolerances({}))) {
    if (!value.equal(defaults[name])) changed[name] = value;
  }
  return changed;
}

Options read_options(const py::dict& given) {
  Options options;
  visit_options(options, OptionReader(given));
  return options;
}

}  // namespace surefoot::python
