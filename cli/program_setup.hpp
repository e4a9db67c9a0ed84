#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/minimize_request.hpp"
#include "evaluators/program_evaluator.hpp"
#include "simulators/simulator.hpp"

namespace surefoot::cli {

// The user's program as the command line describes it.

/// Takes what outputs and limits say into the options: the number of inequalities and, for an output that is maximised,
/// the target of its negative.
void take_outputs(MinimizeRequest& request);

/// What is made of the program's outputs.
OutputUse output_use(const MinimizeRequest& request);

/// Names of the values behind f, where outputs have names; empty ones for the others.
std::vector<std::string> constraint_names(const MinimizeRequest& request);
/// The same with their numbers.
ConstraintRules named_rules(const MinimizeRequest& request);

/// Whether something asks for more than standard input and the last line of standard output.
bool is_simulator(const MinimizeRequest& request);

/// What gives a program its files and reads its values; none for a plain program.
std::shared_ptr<const Simulator> simulator_of(const MinimizeRequest& request);

using ProgramObserver = std::function<void(const ProgramAccount&)>;

/// \param observer gets an account of each evaluation. Whoever looks at single evaluations wants no refusal of the
/// first.
std::unique_ptr<ProgramEvaluator> program_of(const MinimizeRequest& request, int workers,
                                             const ProgramObserver& observer = {});

/// The program with its files, in words: a checkpoint remembers it.
std::string program_text(const MinimizeRequest& request);

/// What a persistent program prints beside its answers costs time: it is started again.
std::string about_surplus(const std::string& line);

/// Of a program that ends after each answer under --persistent.
inline constexpr const char* about_ends =
    "the program ends after its answer, so --persistent starts it anew for each evaluation; it saves time if the "
    "program reads the next line instead";

/// Options that a program needs and that are given without one.
/// \throws std::invalid_argument naming the first of them.
void refuse_without_program(const MinimizeRequest& request);

}  // namespace surefoot::cli
