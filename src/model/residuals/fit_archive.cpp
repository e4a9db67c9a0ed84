#include "model/residuals/fit_archive.hpp"

#include <algorithm>
#include <string>

#include "core/invalid_option.hpp"

namespace surefoot {

FitArchive::FitArchive(Index dimension, Index least_capacity) : least_capacity_(least_capacity), u_(dimension, 0) {}

/// As many points as 512 MB of residuals hold.
Index FitArchive::capacity() const {
  constexpr Index most_numbers = Index{1} << 26;
  return std::max(least_capacity_, std::min<Index>(20000, most_numbers / std::max<Index>(1, residuals())));
}

Index FitArchive::slot(const std::vector<Index>& in_use) {
  if (size() < capacity()) {
    if (size() == u_.cols()) {
      const Index room = std::max<Index>(16, 2 * u_.cols());
      u_.conservativeResize(Eigen::NoChange, room);
      f_.conservativeResize(room);
    }
    r_.emplace_back();
    return size() - 1;
  }
  Index worst = -1;
  for (Index i = 0; i < size(); ++i) {
    const bool is_free = std::find(in_use.begin(), in_use.end(), i) == in_use.end();
    if (is_free && (worst < 0 || f_[i] > f_[worst])) worst = i;
  }
  return worst;
}

Index FitArchive::add(const Vector& u, Vector r, const std::vector<Index>& in_use) {
  const Index i = slot(in_use);
  u_.col(i) = u;
  f_[i] = r.squaredNorm();
  r_[static_cast<std::size_t>(i)] = std::move(r);
  return i;
}

void FitArchive::visit(StateVisitor& visitor) {
  const Index d = u_.rows();
  std::int64_t count = size();
  visitor.integer("points", count);
  if (count < 0 || count > std::max<Index>(20000, least_capacity_)) {
    reject("checkpoint: points", count, "more than the archive holds");
  }
  Matrix u = u_.leftCols(size());
  Vector f = f_.head(size());
  if (visitor.is_restoring()) {
    u.resize(0, 0);
    f.resize(0);
    r_.assign(static_cast<std::size_t>(count), Vector());
  }
  visitor.matrix("u", u);
  visitor.vector("f", f);
  for (std::size_t i = 0; i < r_.size(); ++i) visitor.vector("r" + std::to_string(i), r_[i]);
  if (!visitor.is_restoring()) return;
  const bool is_whole = u.cols() == count && (count == 0 || u.rows() == d) && f.size() == count;
  const bool is_even = std::all_of(r_.begin(), r_.end(), [this](const Vector& r) { return r.size() == residuals(); });
  if (!is_whole || !is_even) reject("checkpoint: points", count, "their residuals must be of one size");
  u_ = count == 0 ? Matrix(d, 0) : u;
  f_ = f;
}

}  // namespace surefoot
