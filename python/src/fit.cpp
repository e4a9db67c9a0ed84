#include "fit.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "surefoot/least_squares.hpp"

namespace surefoot::python {
namespace {

Vector numbers_of(const py::dict& options, const char* name) {
  return options.contains(name) ? as_vector(name, options[name]) : Vector();
}

template <class Value>
void take(const py::dict& options, const char* name, Value& value) {
  if (options.contains(name)) value = options[name].cast<Value>();
}

LeastSquaresOptions options_of(const py::dict& given) {
  LeastSquaresOptions options;
  take(given, "absolute_sigma", options.absolute_sigma);
  take(given, "batch", options.batch);
  options.bounds = {numbers_of(given, "lower"), numbers_of(given, "upper")};
  take(given, "ftol", options.ftol);
  take(given, "log", options.log);
  take(given, "loss", options.loss);
  take(given, "loss_scale", options.loss_scale);
  take(given, "max_nfev", options.max_nfev);
  take(given, "names", options.names);
  take(given, "noise", options.noise);
  take(given, "restarts", options.restarts);
  take(given, "seed", options.seed);
  options.sigma = numbers_of(given, "sigma");
  options.sigma0 = numbers_of(given, "sigma0");
  take(given, "starts_at_x0", options.starts_at_x0);
  return options;
}

Array table_of(const Matrix& matrix) { return rows_of(matrix.transpose()); }

py::list runs_of(const LeastSquares& result) {
  py::list runs;
  for (const LeastSquaresRun& run : result.runs) {
    py::dict row;
    row["nfev"] = run.nfev;
    row["f"] = run.f;
    row["end"] = run.end;
    runs.append(row);
  }
  return runs;
}

py::dict dict_of(const LeastSquares& result) {
  py::dict d;
  d["x"] = to_array(result.x);
  d["f"] = result.f;
  d["residuals"] = to_array(result.residuals);
  d["jacobian"] = table_of(result.jacobian);
  d["gradient"] = to_array(result.gradient);
  d["active"] = result.active;
  d["covariance"] = table_of(result.covariance);
  d["deviations"] = to_array(result.deviations);
  d["intervals"] = table_of(result.intervals);
  d["correlation"] = table_of(result.correlation);
  d["residual_variance"] = result.residual_variance;
  d["undetermined"] = result.undetermined;
  d["no_errors"] = result.no_errors;
  d["noise_variance"] = result.noise_variance;
  d["success"] = result.success;
  d["stop"] = result.stop;
  d["message"] = result.message;
  d["nfev"] = result.nfev;
  d["nfailed"] = result.nfailed;
  d["rounds"] = result.rounds;
  d["runs"] = runs_of(result);
  return d;
}

/// Residuals come in rows, one row per point.
void tell(LeastSquaresSearch& search, const Array& rows) {
  if (rows.ndim() != 2) throw std::invalid_argument("residuals: give one row for each point");
  const Matrix columns = Eigen::Map<const Matrix>(rows.data(), rows.shape(1), rows.shape(0));
  const py::gil_scoped_release release;
  search.tell(columns);
}

}  // namespace

void add_fit(py::module_& module) {
  py::class_<LeastSquaresSearch>(module, "Fit")
      .def(py::init([](const Array& x0, const py::dict& options) {
        return LeastSquaresSearch(Eigen::Map<const Vector>(x0.data(), x0.size()), options_of(options));
      }))
      .def("ask", [](const LeastSquaresSearch& search) { return rows_of(search.ask()); })
      .def("tell", &tell)
      .def("is_finished", &LeastSquaresSearch::is_finished)
      .def("result", [](const LeastSquaresSearch& search) { return dict_of(search.result()); })
      .def("state", [](const LeastSquaresSearch& search) { return py::bytes(search.state()); })
      .def("set_state", [](LeastSquaresSearch& search, const py::bytes& bytes) { search.set_state(bytes); })
      .def("keep_in",
           [](LeastSquaresSearch& search, const std::string& file, bool overwrite) { search.keep_in(file, overwrite); })
      .def("save", &LeastSquaresSearch::save);
}

}  // namespace surefoot::python
