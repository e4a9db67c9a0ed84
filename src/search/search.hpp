#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/setup.hpp"
#include "search/present.hpp"
#include "search/runs.hpp"
#include "search/stage.hpp"
#include "search/stages/stages.hpp"
#include "search/tally.hpp"
#include "search/watch.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {

/// What Optimizer does: generation by generation it asks the stage that is due, counts what came out, tests for the end
/// and lets the stage learn. A run has stages of its own; where it ends another one follows.
class Search {
 public:
  /// Neither begun nor restored yet.
  explicit Search(Setup setup);
  Search(const Search&) = delete;
  Search(Search&&) = delete;
  Search& operator=(const Search&) = delete;
  Search& operator=(Search&&) = delete;
  ~Search() = default;

  /// Begins the first run.
  void begin();

  /// Points of the present generation or, before it is asked for, of the next.
  [[nodiscard]] Index generation_size() const;
  [[nodiscard]] bool is_asked() const { return present_.is_asked(); }
  /// The present generation; asks for its points if need be.
  Generation& generation();

  /// Values of the present generation, whose points may be others than those asked for.
  void tell(const Matrix& points, const Vector& values);
  void tell(const Vector& values);
  void tell(const std::vector<Evaluation>& evaluations);
  void tell(const Matrix& points, const std::vector<Evaluation>& evaluations);

  /// Learns from the present generation, which must be complete or cancelled. The order of the paper's program:
  /// evaluate, test for the end, update. The last population causes no update.
  void tell();
  void abandon(StopReason reason);
  void stop_because(std::string sentence);

  [[nodiscard]] const Stop& stop() const { return stop_; }
  [[nodiscard]] const Setup& setup() const { return setup_; }
  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] const Runs& runs() const { return runs_; }
  [[nodiscard]] const Run& run() const { return runs_.present(); }
  [[nodiscard]] const Present& present() const { return present_; }
  /// What is known about noise of the objective; nothing if none was noticed.
  [[nodiscard]] std::optional<NoiseFound> noise() const { return noise_of(stages_); }
  /// Whether the values of the present generation are counted, but nothing was learned from them.
  [[nodiscard]] bool is_unapplied() const { return is_unapplied_; }
  /// Whether the last run has ended by itself, which no budget can change.
  [[nodiscard]] bool is_over() const { return is_over_; }
  /// Seconds, in all processes together.
  [[nodiscard]] double elapsed() const { return watch_.elapsed(); }
  /// Generations told so far, of any stage: a number that no two generations share.
  [[nodiscard]] std::int64_t told() const;

  [[nodiscard]] Place place_of(Index candidate) const;
  [[nodiscard]] bool has_counted(const Place& place) const;

  void on_outcome(std::function<void(Index)> done);
  void name_constraints(std::vector<std::string> names) { setup_.rules.names = std::move(names); }

  /// Everything that the search needs to continue bit for bit.
  void save(StateVisitor& writer) const;
  /// Into a search that was neither begun nor restored.
  void restore(StateVisitor& reader);
  /// Of a search that was restored: repeats the tests for the end of its final generation, of which observers know.
  /// Nothing is learned from it. A larger budget passes them.
  void end_again();

 private:
  [[nodiscard]] double found_noise() const;
  [[nodiscard]] Stage& next_stage() const;
  [[nodiscard]] std::int64_t evaluations_left() const;
  void require_asked() const;

  /// A generation, or a part of one, has values: the steps of an iteration.
  void finish(const Matrix& points);
  /// The first of them: counts it and tests for the end of the search. Says whether the generation is complete.
  [[nodiscard]] bool count(const Matrix& points);
  [[nodiscard]] bool end_part();
  /// The second: says whether the run is over.
  [[nodiscard]] Stop learn();
  void end_search(Stop stop);
  /// The last, after observers.
  void conclude();
  [[nodiscard]] Stop met_end() const;
  [[nodiscard]] Stop met_end_within() const;
  void end_run();
  void notify(bool is_last);

  void restore_end(StateVisitor& reader, bool& is_broken);
  void restore_generation(StateVisitor& reader, bool is_repaired);
  void ask_again(const std::string& name, std::int64_t size);
  [[nodiscard]] Stage& stage_named(const std::string& name) const;

  Setup setup_;
  Tally tally_;
  Watch watch_;
  mutable Runs runs_;                           // hands out stages that are asked
  std::vector<std::unique_ptr<Stage>> stages_;  // of the whole search, before those of the run
  Present present_;
  Stop stop_;
  Stop run_stop_;         // the end of the present run, which another one is to follow: while observers are told
  bool is_over_ = false;  // the last run has ended by itself, which no budget can change
  bool is_unapplied_ = false;
  double condition_ = Tally::nan;  // as last measured for an observer, at its interval
};

}  // namespace surefoot
