#pragma once

#include "surefoot/options.hpp"

namespace surefoot {

/// Calls visit(name, member) for each option, by the names of option_table(). A test compares this list with the table
/// and with the members that Options has.
template <class Visitor>
void visit_options(Options& o, Visitor&& visit) {
  visit("batch", o.batch);
  visit("bounds", o.bounds);
  visit("callback", o.callback);
  visit("constraints", o.constraints);
  visit("constraints_mode", o.constraints_mode);
  visit("equalities", o.equalities);
  visit("equality_tolerance", o.equality_tolerance);
  visit("evaluate_x0", o.evaluate_x0);
  visit("evaluation_seconds", o.evaluation_seconds);
  visit("failed_fraction", o.failures.fraction);
  visit("failed_generations", o.failures.generations);
  visit("ftarget", o.ftarget);
  visit("inject", o.inject);
  visit("interrupt", o.interrupt);
  visit("learning_rate", o.learning_rate);
  visit("maxfevals", o.maxfevals);
  visit("maxiter", o.maxiter);
  visit("method", o.method);
  visit("mixing", o.mixing);
  visit("model", o.model);
  visit("noeffectaxis", o.noeffectaxis);
  visit("noeffectcoord", o.noeffectcoord);
  visit("noise", o.noise);
  visit("observer", o.observer);
  visit("on_failure", o.failures.rethrow);
  visit("popsize", o.popsize);
  visit("restart_point", o.restart_point);
  visit("restarts", o.restarts);
  visit("retry", o.failures.retry);
  visit("seed", o.seed);
  visit("strategy", o.strategy);
  visit("threads", o.threads);
  visit("timeout", o.timeout);
  visit("tolconditioncov", o.tolconditioncov);
  visit("tolflatfitness", o.tolflatfitness);
  visit("tolfun", o.tolfun);
  visit("tolfunhist", o.tolfunhist);
  visit("tolstagnation", o.tolstagnation);
  visit("tolupsigma", o.tolupsigma);
  visit("tolx", o.tolx);
  visit("workers", o.workers);
}

}  // namespace surefoot
