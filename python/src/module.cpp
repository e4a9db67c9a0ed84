#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/neighbour_words.hpp"
#include "fit.hpp"
#include "option_reader.hpp"
#include "search.hpp"
#include "surefoot/bbob.hpp"
#include "surefoot/constrained.hpp"
#include "surefoot/method.hpp"
#include "surefoot/option_table.hpp"
#include "surefoot/practical.hpp"
#include "surefoot/problems.hpp"
#include "surefoot/version.hpp"

namespace surefoot::python {
namespace {

py::list option_rows() {
  py::list rows;
  for (const OptionInfo& o : option_table()) {
    rows.append(py::dict(py::arg("name") = o.name, py::arg("group") = o.group, py::arg("takes") = o.takes,
                         py::arg("default") = o.standard, py::arg("meaning") = o.meaning, py::arg("cpp") = o.cpp,
                         py::arg("cli") = o.cli, py::arg("python") = o.python, py::arg("may_change") = o.may_change));
  }
  return rows;
}

py::list problem_rows() {
  py::list rows;
  for (const Problem& p : problem_table()) rows.append(py::make_tuple(p.name, p.formula, p.citation));
  for (const PracticalProblem& p : practical_table()) rows.append(py::make_tuple(p.name, p.title, p.citation));
  for (const ConstrainedProblem& p : constrained_table()) rows.append(py::make_tuple(p.name, p.title, p.citation));
  for (const BbobFunction& f : bbob_table()) rows.append(py::make_tuple(f.name, f.title, "HansenFinck2009"));
  return rows;
}

py::list practical_names() {
  py::list names;
  for (const PracticalProblem& p : practical_table()) names.append(p.name);
  return names;
}

py::list method_rows() {
  py::list rows;
  for (const MethodInfo& m : method_table()) rows.append(py::make_tuple(m.name, m.summary, m.citation));
  rows.append(py::make_tuple("auto", summary_of_auto(), "Glasmachers2010"));
  return rows;
}

py::list learning_rate_rows() {
  py::list rows;
  for (const LearningRateInfo& l : learning_rate_table()) rows.append(py::make_tuple(l.name, l.summary, l.citation));
  return rows;
}

/// f and the values of the constraints, for one point or many.
py::object evaluate_constrained(const ProblemInstance& problem, const Array& x) {
  const auto d = static_cast<std::size_t>(problem.start.size());
  const py::ssize_t count = x.ndim() == 1 ? 1 : x.shape(0);
  const py::ssize_t width = 1 + problem.constraints + problem.equalities;
  Array values({count, width});
  for (py::ssize_t i = 0; i < count; ++i) {
    const std::vector<double> row = values_of(problem.evaluation({x.data() + static_cast<std::size_t>(i) * d, d}));
    std::copy(row.begin(), row.end(), values.mutable_data() + i * width);
  }
  return x.ndim() == 1 ? values.reshape({width}) : values;
}

/// One point, or many, one per row.
py::object evaluate(const ProblemInstance& problem, const py::object& points) {
  const Array x = as_array("x", points);
  const Index d = problem.start.size();
  if (x.ndim() < 1 || x.ndim() > 2 || x.shape(x.ndim() - 1) != d) {
    throw std::invalid_argument("x: " + problem.name + " wants " + std::to_string(d) +
                                " coordinates, or rows of as many");
  }
  if (problem.is_constrained()) return evaluate_constrained(problem, x);
  if (x.ndim() == 1) return py::float_(problem(std::span(x.data(), static_cast<std::size_t>(d))));
  const Matrix population = Eigen::Map<const Matrix>(x.data(), d, x.shape(0));
  Vector values(population.cols());
  {
    const py::gil_scoped_release release;
    problem(population, values);
  }
  return to_array(values);
}

/// Seconds of a loop of ask and tell on the sphere without Python, for benchmarks/python_overhead.py.
double time_generations(Index dimension, Index popsize, int generations, const std::string& learning_rate) {
  Options options = without_tolerances({});
  options.evaluate_x0 = false;
  options.learning_rate = learning_rate;
  options.popsize = popsize;
  options.seed = 1;
  options.maxiter = generations;
  Optimizer search(Vector::Ones(dimension), 0.1, options);
  Vector values(popsize);
  const auto begin = std::chrono::steady_clock::now();
  while (!search.stop()) {
    const Matrix& population = search.ask();
    values = population.colwise().squaredNorm().transpose();
    search.tell(values);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void add_search(py::module_& module) {
  py::class_<SearchBinding>(module, "Search")
      .def(py::init<const py::dict&, const py::dict&, py::object, const py::object&, const std::string&,
                    std::vector<std::string>>())
      .def("ask", &SearchBinding::ask,
           "The points to evaluate, one per row: an array that belongs to the caller. First x0 and the injected "
           "points, then\n"
           "populations; at the end of a budget fewer.")
      .def("tell", &SearchBinding::tell, py::arg("X"), py::arg("F"),
           "Values of the population that ask gave. X may be None, or hold candidates that were changed.")
      .def(
          "tell", [](SearchBinding& search, const py::object& values) { search.tell(py::none(), values); },
          py::arg("F"))
      .def("tell", &SearchBinding::tell_constrained, py::arg("X"), py::arg("F"), py::arg("G") = py::none(),
           py::arg("H") = py::none(),
           "The same with values of constraints, one row a candidate: inequalities G, equalities H.")
      .def(
          "tell",
          [](SearchBinding& search, const py::object& values, const py::object& g, const py::object& h) {
            search.tell_constrained(py::none(), values, g, h);
          },
          py::arg("F"), py::kw_only(), py::arg("G") = py::none(), py::arg("H") = py::none())
      .def("_open", &SearchBinding::open_candidates)
      .def("_took", &SearchBinding::took)
      .def("_took_together", &SearchBinding::took_together)
      .def("_set", &SearchBinding::set)
      .def("_set_open", &SearchBinding::set_open)
      .def("_fail", &SearchBinding::fail)
      .def("_reopen_failures", &SearchBinding::reopen_failures)
      .def("_forget_failures", &SearchBinding::forget_failures)
      .def("_has_never_worked", &SearchBinding::has_never_worked)
      .def("_is_cancelled", &SearchBinding::is_cancelled)
      .def("_finish_generation", &SearchBinding::finish_generation)
      .def("_interrupt", &SearchBinding::interrupt)
      .def("_open_files", &SearchBinding::open_files)
      .def("_close_files", &SearchBinding::close_files)
      .def("_result", &SearchBinding::result)
      .def("_state", &SearchBinding::state)
      .def("_set_state", [](SearchBinding& search, const py::bytes& bytes) { search.set_state(bytes); })
      .def("_history", &SearchBinding::history)
      .def("_set_history", &SearchBinding::set_history)
      .def("stop_because", &SearchBinding::stop_because, py::arg("sentence"),
           "Ends the search for a reason of your own: result.stop is then \"requested\", and the message begins with "
           "the\n"
           "sentence.")
      .def("stop", &SearchBinding::stop, "Why the search stopped, in one word; empty, and so false, while it runs.")
      .def_property_readonly(
          "popsize", [](SearchBinding& s) { return s.read([](const Optimizer& o) { return o.popsize(); }); },
          "Candidates of the generation that ask gives: that of x0 and injected points, restarts and the end of a "
          "budget\n"
          "have others than the option.")
      .def_property_readonly(
          "nfev", [](SearchBinding& s) { return s.read([](const Optimizer& o) { return o.nfev(); }); },
          "Evaluations so far.")
      .def_property_readonly(
          "nit", [](SearchBinding& s) { return s.read([](const Optimizer& o) { return o.nit(); }); },
          "Generations so far.")
      .def_property_readonly(
          "method", [](SearchBinding& s) { return s.read([](const Optimizer& o) { return o.options().method; }); },
          "The method: given, or what auto stands for.")
      .def_property_readonly(
          "model", [](SearchBinding& s) { return s.read([](const Optimizer& o) { return o.options().model; }); },
          "The model: given, or what auto stands for.")
      .def_property_readonly(
          "_population",
          [](SearchBinding& s) { return s.read([](const Optimizer& o) { return o.strategy().popsize(); }); })
      .def_property_readonly(
          "_restarts",
          [](SearchBinding& s) { return s.read([](const Optimizer& o) { return o.options().restarts.text(); }); })
      .def_property_readonly(
          "seed", [](SearchBinding& s) { return s.read([](const Optimizer& o) { return o.seed(); }); },
          "The seed: given, or drawn.")
      .def_property_readonly(
          "sigma",
          [](SearchBinding& s) {
            return s.read([](const Optimizer& o) { return o.strategy().distribution().sigma(); });
          },
          "The step size.")
      .def_property_readonly(
          "mean",
          [](SearchBinding& s) {
            return s.read([](const Optimizer& o) { return to_array(o.last_run_distribution().mean); });
          },
          "Mean of the distribution of the next population; within bounds it may be a little outside.")
      .def_property_readonly(
          "covariance",
          [](SearchBinding& s) {
            return s.read([](const Optimizer& o) { return rows_of(o.last_run_distribution().covariance()); });
          },
          "Covariance of the distribution of the next population.")
      .def_property_readonly(
          "best_covariance",
          [](SearchBinding& s) {
            return s.read([](const Optimizer& o) { return rows_of(o.distribution().covariance()); });
          },
          "Covariance that the run which found the best point has reached.");
}

void add_problem(py::module_& module) {
  py::class_<ProblemInstance>(module, "Problem")
      .def(py::init(&make_problem))
      .def("__call__", &evaluate)
      .def_property_readonly("x0", [](const ProblemInstance& p) { return to_array(p.start); })
      .def_property_readonly("bounds",
                             [](const ProblemInstance& p) -> py::object {
                               if (p.bounds.empty()) return py::none();
                               return py::make_tuple(to_array(p.bounds.lower), to_array(p.bounds.upper));
                             })
      .def_property_readonly("sigma0", [](const ProblemInstance& p) { return p.sigma0; })
      .def_property_readonly("xopt", [](const ProblemInstance& p) { return to_array(p.optimum); })
      .def_property_readonly("constraints", [](const ProblemInstance& p) { return p.constraints; })
      .def_property_readonly("equalities", [](const ProblemInstance& p) { return p.equalities; })
      .def_property_readonly("fopt", [](const ProblemInstance& p) { return p.optimal_value; });
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The library behind the Python package.";
  module.attr("version") = version;
  module.attr("pybind11_version") = PYBIND11_VERSION_HEX;
  add_search(module);
  add_problem(module);
  add_fit(module);
  module.def("option_defaults", &option_defaults);
  module.def("option_values_without_tolerances", &option_values_without_tolerances);
  module.def("option_table", &option_rows);
  module.def("problem_table", &problem_rows);
  module.def("practical_names", &practical_names);
  module.def("method_table", &method_rows);
  module.def("option_for", [](const std::string& word) { return std::string(option_for(word)); });
  module.def("learning_rate_table", &learning_rate_rows);
  module.def("time_generations", &time_generations, py::call_guard<py::gil_scoped_release>());
}

}  // namespace surefoot::python
