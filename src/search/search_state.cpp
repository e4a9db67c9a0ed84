// What a checkpoint holds of a search: everything that it needs to continue bit for bit.

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "search/search.hpp"
#include "search/stages/stages.hpp"
#include "search/stop/search_ends.hpp"
#include "search/stop/stop_state.hpp"

namespace surefoot {
namespace {

/// A point that messages will show, or none.
void require_failed_point(const Domain& domain, const Vector& x) {
  if (x.size() == 0 || (x.size() == domain.user_dimension() && x.allFinite() && domain.contains(x))) return;
  throw std::invalid_argument("checkpoint: a failed point does not belong to this search");
}

/// What may end a run sooner or later in another session.
Vector tolerances_of(const Options& o) {
  return Vector{{o.tolconditioncov.value_or(-1), static_cast<double>(o.tolflatfitness), o.tolfun, o.tolfunhist,
                 static_cast<double>(o.tolstagnation.value_or(-1)), o.tolupsigma, o.tolx, o.noeffectaxis ? 1.0 : 0.0,
                 o.noeffectcoord ? 1.0 : 0.0}};
}

}  // namespace

void Search::save(StateVisitor& writer) const {
  Setup setup = setup_;
  double seconds = elapsed();
  double condition = condition_;
  visit_identity(writer, setup);
  writer.scalar("elapsed", seconds);
  writer.scalar("condition", condition);
  // The end by a budget is not part of the state: with a larger one the search continues.
  const bool reopens = stop_ && !is_over_ && runs_.is_closed();
  Stop end =
      runs_.save(writer, run_stop_, reopens, is_unapplied_ ? tally_.without_last(present_.stage().counting()) : tally_);
  for (const auto& stage : stages_) stage->visit(writer);
  if (is_over_) end = stop_;
  visit_stop(writer, "end", end);
  auto is_broken = static_cast<std::int64_t>((end ? end : stop_).reason == StopReason::failing);
  Vector tolerances = tolerances_of(setup_.options);
  writer.integer("objective failed", is_broken);
  writer.vector("tolerances", tolerances);
  present_.save(writer);
}

void Search::restore(StateVisitor& reader) {
  visit_identity(reader, setup_);
  double seconds = 0;
  reader.scalar("elapsed", seconds);
  watch_.start_from(seconds);
  reader.scalar("condition", condition_);
  tally_.visit(reader, !setup_.rules.empty());
  require_failed_point(*setup_.domain, tally_.last_failure_x);
  for (const FailureCount& kind : tally_.kinds) require_failed_point(*setup_.domain, kind.x);
  runs_.restore(reader, tally_);
  present_.enter(runs_.present().stage());
  stages_ = make_stages(setup_);
  for (const auto& stage : stages_) stage->visit(reader);
  bool is_broken = false;
  restore_end(reader, is_broken);
  restore_generation(reader, is_broken);
}

/// The last run is taken up again where its end was not for good: by a tolerance that is another one now, or by an
/// objective that failed and was perhaps repaired.
void Search::restore_end(StateVisitor& reader, bool& is_broken) {
  visit_stop(reader, "end", stop_);
  is_over_ = static_cast<bool>(stop_);
  std::int64_t has_failed = 0;
  Vector tolerances;
  reader.integer("objective failed", has_failed);
  reader.vector("tolerances", tolerances);
  is_broken = has_failed != 0;
  const Vector tolerances_now = tolerances_of(setup_.options);
  if (tolerances.size() != tolerances_now.size()) {
    reject("checkpoint: number of tolerances", tolerances.size(), "it must be " + text(tolerances_now.size()));
  }
  if (!is_over_) return;
  if (runs_.finished().empty()) throw std::invalid_argument("checkpoint: a search that is over has no run");
  const bool has_other_tolerances = tolerances != tolerances_now;
  if (!is_broken && !(has_other_tolerances && stop_info(runs_.finished().back().stop).resume == StopResume::tolerance))
    return;
  runs_.reopen_converged();
  stop_ = {};
  is_over_ = false;
}

Stage& Search::stage_named(const std::string& name) const {
  for (const auto& stage : stages_) {
    if (stage->name() == name) return *stage;
  }
  Run& run = runs_.present();
  if (run.stage().name() == name) return run.stage();
  if (run.closing().name() == name) return run.closing();
  reject("checkpoint: stage", "'" + name + "'", "this search has none of this name");
}

/// With room for as many outcomes. Points for which a smaller budget had no room come back with the others.
void Search::ask_again(const std::string& name, std::int64_t size) {
  Stage& stage = stage_named(name);
  const Index most = stage.size();
  if (size < 1 || size > most || (stage.is_indivisible() && size != most)) {
    reject("checkpoint: generation size", size, "the run's popsize is another one");
  }
  const bool is_closing = stage.counting().has_mean;
  const std::int64_t room = is_closing ? size : std::clamp<std::int64_t>(evaluations_left(), size, most);
  present_.ask(stage, static_cast<Index>(room), tally_);
}

/// A generation without outcomes is asked for again, since the budget may be another one; and there is none where the
/// budget is used.
void Search::restore_generation(StateVisitor& reader, bool is_repaired) {
  present_.restore(reader, [this](const std::string& stage, std::int64_t size) { ask_again(stage, size); });
  if (is_repaired && is_asked()) present_.generation().forget_failures();
  if (is_repaired) tally_.forgive();
  const bool is_untouched = present_.is_untouched();
  if (is_untouched) present_.close(false);
  if (!stop_ && !is_asked() && evaluations_left() <= 0) {
    stop_ = met_end();
    runs_.close(tally_, stop_.reason);
  } else if (is_untouched) {
    generation();
  }
}

/// An interruption ends its own process only.
void Search::end_again() {
  if (stop_ || !is_asked() || !present_.is_final()) return;
  const Tally before = tally_;
  present_.stage().keep();
  static_cast<void>(count(present_.generation().population()));
  present_.stage().take_back();
  if (stop_.reason == StopReason::interrupted) stop_ = {};
  if (stop_) {
    is_unapplied_ = true;
    runs_.close(tally_, stop_.reason);
  } else {
    tally_ = before;
  }
}

}  // namespace surefoot
