#include "own_policy.hpp"

#include <memory>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "core/invalid_option.hpp"

namespace surefoot::python {
namespace {

/// Shared by copies of the options, which come and go without the interpreter's lock.
std::shared_ptr<py::object> shared(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            const py::gil_scoped_acquire acquire;
            delete held;
          }};
}

py::object namespace_of(const py::dict& members) {
  return py::module_::import("types").attr("SimpleNamespace")(**members);
}

py::tuple tuple_of(const LearningRates& rates) { return py::make_tuple(rates.mean, rates.sigma, rates.B); }

LearningRates rates_of(const std::string& name, const py::object& answer) {
  const Vector rates = as_vector(name.c_str(), answer);
  if (rates.size() != 3) {
    reject(name, std::string(py::repr(answer)), "three numbers are needed: the rates of mean, step size and shape");
  }
  return {rates[0], rates[1], rates[2]};
}

py::object context_of(const LearningRateContext& context) {
  return namespace_of(py::dict(py::arg("dimension") = context.dimension, py::arg("popsize") = context.popsize,
                               py::arg("mu_w") = context.mu_w, py::arg("diagonal") = context.diagonal,
                               py::arg("rates") = tuple_of(default_learning_rates(context))));
}

class PythonPolicy final : public LearningRatePolicy {
 public:
  PythonPolicy(std::string name, py::object policy, const LearningRateContext& context)
      : name_(std::move(name)), policy_(shared(std::move(policy))), context_(context) {
    if (!py::hasattr(*policy_, "first") || !py::hasattr(*policy_, "next")) {
      reject("learning_rate", std::string(py::repr(*policy_)), "it must have the functions first() and next(step)");
    }
  }

  [[nodiscard]] LearningRates first() const override {
    const py::gil_scoped_acquire acquire;
    return rates_of(name_ + ".first()", policy_->attr("first")());
  }

  LearningRates next(const AppliedStep& step) override {
    const py::gil_scoped_acquire acquire;
    return rates_of(name_ + ".next()", policy_->attr("next")(step_of(step)));
  }

  void visit(StateVisitor& visitor) override {
    const py::gil_scoped_acquire acquire;
    if (!py::hasattr(*policy_, "state")) return;
    Vector state;
    if (!visitor.is_restoring()) state = as_vector((name_ + ".state()").c_str(), policy_->attr("state")());
    visitor.vector("state", state);
    if (visitor.is_restoring()) policy_->attr("restore")(to_array(state));
  }

 private:
  /// Copies: what the step refers to is valid during the call only.
  [[nodiscard]] py::object step_of(const AppliedStep& step) const {
    Matrix gradient = Matrix::Zero(context_.dimension, context_.columns());
    step.shape.add_gradient({0, 1}, gradient);
    const py::object flat = to_array(Eigen::Map<const Vector>(gradient.data(), gradient.size()));
    const py::object B = context_.diagonal ? flat : flat.attr("reshape")(context_.dimension, context_.dimension);
    return namespace_of(py::dict(py::arg("rates") = tuple_of(step.rates),
                                 py::arg("delta") = to_array(step.gradient.delta),
                                 py::arg("sigma") = step.gradient.sigma, py::arg("B") = B));
  }

  std::string name_;
  std::shared_ptr<py::object> policy_;
  LearningRateContext context_;
};

}  // namespace

LearningRate own_policy(const py::object& make) {
  if (PyCallable_Check(make.ptr()) == 0) {
    reject("learning_rate", std::string(py::repr(make)),
           "it must be a text, or a class or function that makes a policy");
  }
  const py::object name = py::getattr(make, "__name__", py::type::of(make).attr("__name__"));
  const auto text = name.cast<std::string>();
  return {text, [text, held = shared(make)](const LearningRateContext& context) -> std::unique_ptr<LearningRatePolicy> {
            const py::gil_scoped_acquire acquire;
            return std::make_unique<PythonPolicy>(text, (*held)(context_of(context)), context);
          }};
}

}  // namespace surefoot::python
