#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/model/line_stage.hpp"
#include "driver/run.hpp"
#include "driver/run_sequence.hpp"
#include "driver/setup.hpp"
#include "driver/tally.hpp"
#include "surefoot/generation.hpp"
#include "surefoot/optimizer.hpp"
#include "surefoot/result.hpp"

namespace surefoot {

/// What Optimizer does: runs, one after the other, generation by generation. A generation is known points, a population
/// or a closing one (`Stage`); only a population is learned from.
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
  [[nodiscard]] bool is_asked() const { return is_asked_; }
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

  [[nodiscard]] Result result() const;
  [[nodiscard]] const Stop& stop() const { return stop_; }
  [[nodiscard]] const Setup& setup() const { return setup_; }
  [[nodiscard]] const Tally& tally() const { return tally_; }
  /// Seconds, in all processes together.
  [[nodiscard]] double elapsed() const;
  [[nodiscard]] const Run& run() const { return *run_; }
  /// Generations told so far, of any stage: a number that no two generations share.
  [[nodiscard]] std::int64_t told() const;

  [[nodiscard]] const Generation& present() const { return generation_; }
  [[nodiscard]] Place place_of(Index candidate) const;
  [[nodiscard]] bool has_counted(const Place& place) const;

  void on_outcome(std::function<void(Index)> done);
  void name_constraints(std::vector<std::string> names) { setup_.rules.names = std::move(names); }

  /// Everything that the search needs to go on bit for bit.
  void save(StateVisitor& writer) const;
  /// Into a search that was neither begun nor restored.
  void restore(StateVisitor& reader);
  /// Of a search that was restored: what had ended it when it was saved ends it again, unless a budget is larger now.
  void end_again();

 private:
  using Clock = std::chrono::steady_clock;

  /// What follows a run that has met its end.
  struct Succession {
    RunSequence runs;
    Tally tally;
    std::unique_ptr<Run> run;  // null: none
    Stop end;                  // of the search, if there is none
  };

  [[nodiscard]] Stage next_stage() const;
  /// The most points that a generation of this stage, or a round of it, can have now.
  [[nodiscard]] Index most_points(Stage stage) const;
  [[nodiscard]] std::int64_t evaluations_left() const;
  void ask(Stage stage, Index count);
  void ask_round(Index count);
  void write_closing(const Matrix& samples, Index count, Matrix& points) const;
  [[nodiscard]] Vector favourite() const;

  void check(const Matrix& points, Index count) const;
  void find_changes(const Matrix& points);
  void replace(Index i, const Vector& user);
  void put_values(const Vector& values);
  void put_values(const std::vector<Evaluation>& evaluations);
  void require_constraints() const;

  /// Whether the present generation is evaluated in rounds, as a model wants it.
  [[nodiscard]] bool is_round() const { return stage_ == Stage::population && run_->rounds() != nullptr; }
  /// Says whether the generation is complete.
  [[nodiscard]] bool end_round();
  void take_back_round();

  /// A generation is complete: the steps of an iteration.
  void finish(const Matrix& points);
  /// The first of them: counts it and tests for the end of the search. Says whether the generation is over.
  [[nodiscard]] bool count(const Matrix& points);
  /// The last of them, after observers.
  void conclude();
  [[nodiscard]] Stop met_end() const;
  [[nodiscard]] Stop met_end_within() const;
  [[nodiscard]] Stop met_cancel() const;
  [[nodiscard]] Stop learn();
  [[nodiscard]] Stop learn_population();
  [[nodiscard]] Stop learn_lines();
  [[nodiscard]] bool is_line_search_due() const;
  void learn_known();
  void begin_at_best_known();

  void begin_run(std::int64_t number, const RunPlan& plan, const Vector& mean);
  /// Counts in the tally what the present run leaves to it.
  [[nodiscard]] std::unique_ptr<Run> new_run(Tally& tally, std::int64_t number, const RunPlan& plan,
                                             const Vector& mean) const;
  [[nodiscard]] std::optional<std::int64_t> run_budget(const RunPlan& plan) const;
  [[nodiscard]] ModelBudget run_model_budget(const Tally& tally) const;
  void close_run(StopReason reason) { runs_.close(*run_, tally_, reason); }
  /// Goes on with another run if there is one, otherwise ends the search.
  void end_run();
  [[nodiscard]] Succession succession(RunSequence runs) const;
  [[nodiscard]] Stop end_without_restarts(const RunSequence& runs) const;
  /// By which the last run has ended.
  [[nodiscard]] StopReason last_reason() const { return is_over_ ? runs_.finished().back().stop : stop_.reason; }
  [[nodiscard]] Vector restart_mean() const;
  /// Of the run that found the best point.
  [[nodiscard]] Vector multipliers() const;
  [[nodiscard]] bool is_run_closed() const;

  [[nodiscard]] Stop timed_out() const;
  /// Asked from evaluators' threads: reads only what does not change during a generation. What it once said stays said.
  [[nodiscard]] StopReason cancel_reason() const;

  void notify(bool is_last);
  [[nodiscard]] Record record() const;
  void add_measures_of_model(Measures& measures) const;
  void add_measures_of_constraints(Measures& measures) const;
  /// Of the whole generation so far.
  [[nodiscard]] std::vector<Failure> failures() const;
  [[nodiscard]] std::string message_of(const Result& result) const;
  [[nodiscard]] std::string place_of_last_failure() const;
  [[nodiscard]] std::string outcome_of_search(const Result& result) const;
  void add_present_generation(Result& result) const;

  void save_run(StateVisitor& writer, Run& run) const;
  void save_generation(StateVisitor& writer) const;
  void restore_generation(StateVisitor& reader, bool forgives);
  void go_on();
  void ask_again(std::int64_t stage, std::int64_t size);
  void settle_restored();
  [[nodiscard]] bool may_end_again() const;

  Setup setup_;
  Tally tally_;
  RunSequence runs_;
  std::unique_ptr<Run> run_;
  LineStage lines_;
  Stop stop_;
  Stop run_stop_;         // the end of the present run, which another one is to follow: while observers are told
  bool is_over_ = false;  // the last run has ended by itself, which no budget can change

  // The present generation.
  Stage stage_ = Stage::population;
  bool is_asked_ = false;
  bool is_unapplied_ = false;           // counted, but a budget ended the search before the update
  const Matrix* population_ = nullptr;  // what the strategy gave, search coordinates
  Generation generation_;               // the same with outcomes, the user's coordinates
  std::vector<Index> changed_;          // candidates that the caller has replaced
  Matrix replaced_;                     // the population with them, search coordinates
  Vector values_;
  Matrix round_;                        // with a model: the points of this round, search coordinates
  std::optional<Rounds> before_round_;  // if the generation may be the last one: as it was before this round

  double condition_ = Tally::nan;  // as last measured for an observer
  Clock::time_point begin_ = Clock::now();
  double elapsed_before_ = 0;  // seconds before this process
  mutable std::atomic<StopReason> cancelled_{StopReason::none};
};

}  // namespace surefoot
