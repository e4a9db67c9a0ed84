#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/minimize_request.hpp"
#include "ranks/rank_evaluator.hpp"
#include "surefoot/evaluator.hpp"
#include "surefoot/problems.hpp"
#include "surefoot/session.hpp"

namespace surefoot::cli {

// What a request of the command line means to the library.

/// The benchmark problem that is asked for; none for a program.
std::optional<ProblemInstance> problem_of(const MinimizeRequest& request);

/// The named parameters of a request; empty if there are none.
Space space_of(const MinimizeRequest& request);

/// What is minimised, in words: a checkpoint remembers it.
std::string objective_of(const MinimizeRequest& request);

/// The evaluator on this machine. `problem` must outlive it.
std::unique_ptr<Evaluator> evaluator_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem);

/// What each worker of an MPI job does.
MakeWork rank_work(const MinimizeRequest& request);

/// The search of a request, with the problem's start where none is given.
std::unique_ptr<Session> session_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem,
                                    Options options);

}  // namespace surefoot::cli
