#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Named parameters: real numbers, integers, values of a grid, choices and fixed values.

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// Handles of parameters. The type of a handle says what its parameter's values are.
struct RealParameter {
  Index index = 0;
};
struct IntegerParameter {
  Index index = 0;
};
struct GridParameter {
  Index index = 0;
};
struct ChoiceParameter {
  Index index = 0;
};

/// Limits of a real parameter. On a log scale factors count instead of differences; both limits must be positive.
struct RealRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool log = false;
  std::optional<double> start = {};  // default: the middle, which on a log scale is sqrt(low high)
  std::optional<double> sigma = {};  // start's standard deviation; default: a quarter of the width. On a log scale it
                                     // is a factor above 1: 2 means times or divided by 2
};

/// Limits of an integer parameter.
struct IntegerRange {
  std::optional<std::int64_t> low = {};
  std::optional<std::int64_t> high = {};
  bool log = false;
  std::optional<double> start = {};
  std::optional<double> sigma = {};
};

/// The start of a parameter whose values are listed.
struct GridStart {
  bool log = false;
  std::optional<double> start = {};
  std::optional<double> sigma = {};
};

/// One parameter of a space.
struct Parameter {
  enum class Kind { real, integer, grid, choice, fixed };

  std::string name;
  Kind kind = Kind::real;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool log = false;
  std::vector<double> values = {};        // of a grid, ascending
  std::vector<std::string> choices = {};  // of a choice
  std::optional<double> start = {};       // of a choice its number, of a fixed parameter its value
  std::optional<double> sigma = {};

  /// Whether there is nothing to search: a fixed value, or a single value.
  [[nodiscard]] bool is_fixed() const;
  /// Whether it is an integer or a value of a grid.
  [[nodiscard]] bool is_discrete() const { return kind == Kind::integer || kind == Kind::grid; }
  /// A value as text: the name of a choice, an integer without a fraction.
  [[nodiscard]] std::string format(double value) const;
  /// The value that a text stands for.
  /// \throws std::invalid_argument naming the parameter, the text and what is allowed.
  [[nodiscard]] double parse(const std::string& word) const;
  /// The whole parameter as text, such as rate=real(1e-05,0.1,log), which `Space::add` reads.
  [[nodiscard]] std::string text() const;
};

/// The value of a choice: its number, and its name.
class Chosen {
 public:
  Chosen(std::size_t index, const std::string& name) : index_(index), name_(&name) {}
  operator std::size_t() const { return index_; }  // NOLINT(google-explicit-constructor): it is a number with a name
  [[nodiscard]] std::size_t index() const { return index_; }
  [[nodiscard]] const std::string& name() const { return *name_; }

 private:
  std::size_t index_;
  const std::string* name_;
};

inline const std::string& name(const Chosen& chosen) { return chosen.name(); }

class Values;

/// Parameters in the order in which they were added:
///
///     surefoot::Space space;
///     const auto rate = space.real("rate", {.low = 1e-5, .high = 1e-1, .log = true});
///     const auto layers = space.integer("layers", {.low = 1, .high = 8, .start = 3});
///     const auto width = space.grid("width", {32, 64, 128, 256});
///     const auto kind = space.choice("kind", {"relu", "tanh", "gelu"});
///     auto best = surefoot::minimize(
///         [&](const surefoot::Values& v) { return train(v[rate], v[layers], v[width], v[kind].name()); }, space);
///     std::cout << best.values;  // rate = 0.0031, layers = 4, width = 128, kind = gelu
///
/// A point is a vector with one number per parameter, in the user's units; a choice is the index of its value. An
/// optimizer keeps a copy, so later additions do not affect it.
///
/// All functions that add throw std::invalid_argument naming the parameter, what is wrong and what is allowed.
class Space {
 public:
  Space() = default;
  Space(const Space&) = default;
  /// A copy, so the other space stays usable.
  Space(Space&& other) noexcept : parameters_(other.parameters_) {}  // NOLINT(performance-move-constructor-init)
  Space& operator=(const Space&) = default;
  Space& operator=(Space&& other) noexcept {
    parameters_ = other.parameters_;
    return *this;
  }
  ~Space() = default;

  RealParameter real(const std::string& name, const RealRange& range = {});
  IntegerParameter integer(const std::string& name, const IntegerRange& range = {});
  /// Ordered values at any distances.
  GridParameter grid(const std::string& name, std::vector<double> values, const GridStart& start = {});
  /// Values without an order. The first one is evaluated first, or that of `start`.
  ChoiceParameter choice(const std::string& name, std::vector<std::string> choices,
                         const std::optional<std::string>& start = {});
  /// A constant that is passed to the objective with the other values.
  RealParameter fixed(const std::string& name, double value);

  /// Adds what a text says: rate=real(1e-5,1e-1,log), layers=int(1,8,start=3), width=grid(32,64,128),
  /// kind=choice(relu,tanh) or gravity=9.81. Names of choices may be quoted: 'a, b'.
  Space& add(const std::string& text);
  Space& add(Parameter parameter);

  [[nodiscard]] bool empty() const { return parameters_->empty(); }
  [[nodiscard]] Index size() const { return static_cast<Index>(parameters_->size()); }
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return *parameters_; }
  [[nodiscard]] const Parameter& operator[](Index j) const { return (*parameters_)[static_cast<std::size_t>(j)]; }
  [[nodiscard]] std::optional<Index> find(const std::string& name) const;

  /// All parameters as text, separated by semicolons: two spaces are the same if their texts are.
  [[nodiscard]] std::string text() const;
  static Space from_text(const std::string& text);

 private:
  std::shared_ptr<std::vector<Parameter>> parameters_ = std::make_shared<std::vector<Parameter>>();
  friend class Values;
};

/// A point by the names of a space.
class Values {
 public:
  Values() = default;
  Values(Space space, Vector x) : space_(std::move(space)), x_(std::move(x)) {}

  [[nodiscard]] double operator[](RealParameter p) const { return x_[p.index]; }
  [[nodiscard]] std::int64_t operator[](IntegerParameter p) const { return static_cast<std::int64_t>(x_[p.index]); }
  [[nodiscard]] double operator[](GridParameter p) const { return x_[p.index]; }
  [[nodiscard]] Chosen operator[](ChoiceParameter p) const {
    const auto k = static_cast<std::size_t>(x_[p.index]);
    return {k, space_[p.index].choices[k]};
  }

  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] const Vector& vector() const { return x_; }

 private:
  Space space_;
  Vector x_;
};

/// The names of the coordinates of a point: those of the space or, where it is empty, x0, x1, ...
std::vector<std::string> parameter_names(const Space& space, Index dimension);
std::string parameter_name(const Space& space, Index j);

/// A value of parameter j as text. Numbers have `digits` significant digits, or as many as are needed to read them
/// back.
std::string parameter_text(const Space& space, Index j, double value, std::optional<int> digits = {});

/// A point by name, "rate = 0.0031, layers = 4": at most `most` parameters of it.
std::string describe(const Space& space, const Vector& x, std::optional<int> digits = {},
                     Index most = std::numeric_limits<Index>::max());

/// rate = 0.0031, layers = 4, width = 128, kind = gelu
std::ostream& operator<<(std::ostream& out, const Values& values);

}  // namespace surefoot
