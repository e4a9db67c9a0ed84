#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/discrete/value_grid.hpp"
#include "surefoot/bounds.hpp"
#include "surefoot/distribution.hpp"
#include "surefoot/space.hpp"
#include "surefoot/start.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// From the coordinates in which strategies search to the user's, and back.
///
/// Strategies, stop criteria and checkpoints know search coordinates only; what is evaluated and told is the user's.
/// Bounds, units and fixed coordinates are domains; the domain without any of them is the identity and costs nothing.
class Domain {
 public:
  Domain() = default;
  Domain(const Domain&) = delete;
  Domain(Domain&&) = delete;
  Domain& operator=(const Domain&) = delete;
  Domain& operator=(Domain&&) = delete;
  virtual ~Domain() = default;

  [[nodiscard]] Index user_dimension() const { return user_start().size(); }
  [[nodiscard]] virtual Index search_dimension() const = 0;

  /// Where the first run begins, in search coordinates: the same standard deviation for all of them unless a covariance
  /// was given.
  [[nodiscard]] virtual Start start() const = 0;
  [[nodiscard]] virtual double start_sigma() const = 0;
  [[nodiscard]] virtual const Vector& user_start() const = 0;

  /// The user's points that search points stand for: `points` themselves where the coordinates are the same, else
  /// written to `room`.
  virtual const Matrix& to_user(const Matrix& points, Matrix& room) const = 0;
  [[nodiscard]] virtual Vector to_user(const Vector& point) const = 0;
  [[nodiscard]] virtual Vector to_search(const Vector& user) const = 0;
  /// Standard deviations of the user's coordinates; 0 for fixed ones.
  [[nodiscard]] virtual Vector user_deviations(Vector deviations) const = 0;
  /// A distribution in the user's coordinates, without the fixed ones.
  [[nodiscard]] virtual Start user_distribution(Start distribution) const = 0;

  /// Limits of one of the user's coordinates, with infinities.
  [[nodiscard]] virtual double lower(Index coordinate) const = 0;
  [[nodiscard]] virtual double upper(Index coordinate) const = 0;

  /// Where a restart begins, from one normal for each search coordinate.
  [[nodiscard]] virtual Vector restart_mean(const Vector& z) const = 0;

  /// Whether a searched coordinate has a bound: only then the following have something to say.
  [[nodiscard]] virtual bool has_bounds() const = 0;

  /// How far search points are outside: for each point the sum of the squared distances of its coordinates to the
  /// bounds, each in units of that coordinate's standard deviation. Says whether any point is outside.
  virtual bool excess(const Matrix& points, const Vector& deviations, Vector& squares) const = 0;

  /// What brings a distribution back to where it is of use: a shift of its mean and factors of its standard deviations.
  /// Says whether there is anything to correct.
  virtual bool correction(const Distribution& distribution, Vector& shift, Vector& factors) const = 0;

  /// What two searches must share, under the names that users know.
  /// \throws std::invalid_argument naming what differs, if the visitor brings something else.
  virtual void visit(StateVisitor& visitor) const = 0;

  // Named parameters. A domain without them has only real coordinates.

  /// The parameters; none where coordinates have no names.
  [[nodiscard]] virtual const Space& space() const;
  /// Whether a search coordinate is a real parameter.
  [[nodiscard]] virtual bool is_real(Index /*k*/) const { return true; }
  /// What a search coordinate is called in messages.
  [[nodiscard]] virtual std::string name(Index k) const;
  /// The search coordinates that stand for integers or values of a grid.
  [[nodiscard]] virtual const std::vector<DiscreteCoordinate>& discrete() const;
  /// Numbers of values of the choices, which have no search coordinate, and the probabilities that they start with;
  /// no probabilities: equal ones.
  [[nodiscard]] virtual const std::vector<Index>& choice_sizes() const;
  [[nodiscard]] virtual const std::vector<Vector>& start_probabilities() const;
  [[nodiscard]] bool is_discrete() const { return !discrete().empty() || !choice_sizes().empty(); }
  /// Puts choices, one row each, into points of the user's, and gets them out again.
  virtual void put_choices(const Matrix& /*choices*/, Matrix& /*user*/) const {}
  [[nodiscard]] virtual Matrix choices_of(const Matrix& user) const { return Matrix::Zero(0, user.cols()); }
  /// Puts the probabilities of other values than the favourites among the user's standard deviations.
  virtual void put_doubts(const Vector& /*doubts*/, Vector& /*deviations*/) const {}
  /// What the user should know about the start; empty, or begins with a semicolon.
  [[nodiscard]] const std::string& note() const { return note_; }

  /// How messages about an option call one of the user's coordinates.
  [[nodiscard]] virtual std::string label(const std::string& option, Index coordinate) const;
  /// Why a number within the limits is not a value of this coordinate; empty if it is.
  [[nodiscard]] virtual std::string objection(Index /*coordinate*/, double /*x*/) const { return {}; }

  /// A point of the user's, if it is one.
  /// \throws std::invalid_argument naming the option, the coordinate and what is allowed.
  [[nodiscard]] const Vector& checked(const std::string& option, const Vector& x) const;
  /// Whether all points are finite and within the limits.
  [[nodiscard]] bool contains(const Matrix& points) const;

 protected:
  void set_note(std::string note) { note_ = std::move(note); }

 private:
  std::string note_;
};

/// The domain of a search from x0. If neither sigma0 nor two bounds for every coordinate are given, the standard
/// deviation is a quarter of |x0|, or 1/4 where x0 is 0; the note says so.
/// \throws std::invalid_argument for invalid bounds, an x0 outside them, or an invalid sigma0.
std::shared_ptr<const Domain> make_domain(const Bounds& bounds, const Vector& x0, const Sigma0& sigma0);

/// The same for a start with any covariance.
std::shared_ptr<const Domain> make_domain(const Bounds& bounds, const Start& start);

/// A distribution of named parameters, from which a search can start that has some of them.
struct NamedStart {
  Space space;
  Start start;                             // over the coordinates of its real and ordered parameters
  std::vector<Vector> probabilities = {};  // of its choices
};

/// The distribution that a saved search with named parameters had reached. One without names has x0, x1, ...
/// \throws std::invalid_argument if the bytes are not a state.
NamedStart named_start_of_state(const std::string& state);

/// The domain of named parameters. A warm start gives those their distribution that it has by the same name and kind.
std::shared_ptr<const Domain> make_domain(const Space& space, const NamedStart* warm_start = nullptr);

}  // namespace surefoot
