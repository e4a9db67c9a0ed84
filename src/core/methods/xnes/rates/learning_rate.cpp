#include "surefoot/learning_rate.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants_text.hpp"
#include "core/edit_distance.hpp"
#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/methods/xnes/rates/as_rates.hpp"
#include "core/methods/xnes/rates/checked_policy.hpp"
#include "core/methods/xnes/rates/fixed_rates.hpp"
#include "core/methods/xnes/rates/geodesic_rates.hpp"
#include "core/methods/xnes/rates/lra_rates.hpp"
#include "core/methods/xnes/rates/s3_lra_rates.hpp"

namespace surefoot {
namespace {

Slots slots_of(FixedRates& r) {
  return {{"factor", {&r.factor}}, {"eta", {&r.eta_sigma, &r.eta_B}},
          {"eta_m", {&r.eta_m}},   {"eta_sigma", {&r.eta_sigma}},
          {"eta_B", {&r.eta_B}},   {"frame", {&r.frame}}};
}

Slots slots_of(LraRates& r) {
  return {{"frame", {&r.frame}},
          {"alpha", {&r.alpha_sigma, &r.alpha_B}},
          {"alpha_sigma", {&r.alpha_sigma}},
          {"alpha_B", {&r.alpha_B}},
          {"beta", {&r.beta}},
          {"beta_sigma", {&r.beta_sigma}},
          {"beta_B", {&r.beta_B}},
          {"eta_min", {&r.eta_sigma_min, &r.eta_B_min}},
          {"eta_max", {&r.eta_sigma_max, &r.eta_B_max}},
          {"eta_sigma_min", {&r.eta_sigma_min}},
          {"eta_sigma_max", {&r.eta_sigma_max}},
          {"eta_B_min", {&r.eta_B_min}},
          {"eta_B_max", {&r.eta_B_max}}};
}

Slots slots_of(S3LraRates& r) {
  return {{"frame", {&r.frame}},
          {"alpha_m", {&r.alpha_m}},
          {"alpha_sigma", {&r.alpha_sigma}},
          {"alpha_B", {&r.alpha_B}},
          {"beta_m", {&r.beta_m}},
          {"beta_sigma_inc", {&r.beta_sigma_inc}},
          {"beta_sigma_dec", {&r.beta_sigma_dec}},
          {"beta_B", {&r.beta_B}},
          {"c", {&r.c}},
          {"eta_m_min", {&r.eta_m_min}},
          {"eta_m_max", {&r.eta_m_max}},
          {"eta_sigma_min", {&r.eta_sigma_min}},
          {"eta_sigma_max", {&r.eta_sigma_max}},
          {"eta_B_min", {&r.eta_B_min}},
          {"eta_B_max", {&r.eta_B_max}}};
}

Slots slots_of(GeodesicRates& r) {
  return {{"rates", {&r.rates}},     {"alpha", {&r.alpha}},     {"beta", {&r.beta}},  {"damping", {&r.damping}},
          {"eta_min", {&r.eta_min}}, {"eta_max", {&r.eta_max}}, {"speed", {&r.speed}}};
}

Slots slots_of(AsRates& r) {
  return {{"c", {&r.c}}, {"rho", {&r.rho}}, {"factor", {&r.factor}}, {"eta_max", {&r.eta_max}}};
}

/// What the table knows of a policy: how to describe it and how to make it from a text.
struct Entry {
  LearningRateInfo info;
  std::function<LearningRate::Factory(const ConstantsText&)> factory;
};

template <class Policy, class Constants>
LearningRate::Factory factory_of(const Constants& constants) {
  return [constants](const LearningRateContext& context) { return std::make_unique<Policy>(constants, context); };
}

template <class Policy, class Constants>
Entry entry(std::string name, std::string summary, std::string citation) {
  Constants defaults;
  return {{std::move(name), std::move(summary), list_keys(slots_of(defaults)), std::move(citation)},
          [](const ConstantsText& text) {
            Constants constants;
            text.assign(slots_of(constants));
            return factory_of<Policy>(constants);
          }};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      entry<FixedRatesPolicy, FixedRates>("fixed", "default rate times a factor (fixed:8), or given rates",
                                          "Glasmachers2010"),
      entry<LraRatesPolicy, LraRates>("lra", "adaptation from the length of the covariance path, as published",
                                      "NomuraOno2022"),
      entry<S3LraRatesPolicy, S3LraRates>("s3-lra", "separate adaptation of mean, step size and shape, as published",
                                          "Ujihara2026"),
      entry<GeodesicRatesPolicy, GeodesicRates>(
          "geodesic", "rates in proportion to the signal-to-noise ratio of the natural gradient", "NomuraOno2022"),
      entry<AsRatesPolicy, AsRates>("as", "step size's rate by adaptation sampling, as published", "Wierstra2014"),
      entry<FixedRatesPolicy, FixedRates>("auto", "left to the method; fixed for xnes and snes", "Glasmachers2010"),
  };
  return all;
}

LearningRate::Factory factory_from(const std::string& text) {
  const ConstantsText given("learning_rate", text);
  const auto found = std::find_if(entries().begin(), entries().end(),
                                  [&](const Entry& entry) { return entry.info.name == given.name(); });
  if (found == entries().end()) {
    std::vector<std::string> names;
    for (const Entry& entry : entries()) names.push_back(entry.info.name);
    reject("learning_rate", "'" + text + "'",
           "known policies are " + listed(names) + suggestion(text.substr(0, text.find(':')), names));
  }
  return found->factory(given);
}

template <class Constants>
std::string text_of(std::string_view name, Constants constants) {
  Constants defaults;
  return constants_text(name, slots_of(constants), slots_of(defaults));
}

}  // namespace

LearningRates default_learning_rates(Index dimension) {
  const auto d = static_cast<double>(dimension);
  const double eta = 0.6 * (3 + elementary::log(d)) / (d * std::sqrt(d));
  return {1, eta, eta};
}

LearningRates default_learning_rates(const LearningRateContext& context) {
  if (!context.diagonal) return default_learning_rates(context.dimension);
  const auto d = static_cast<double>(context.dimension);
  const double eta = (3 + elementary::log(d)) / (5 * std::sqrt(d));
  return {1, eta, eta};
}

LearningRate::LearningRate(const std::string& text) : text_(text), factory_(factory_from(text)) {}
LearningRate::LearningRate(const char* text) : LearningRate(std::string(text)) {}
LearningRate::LearningRate(const FixedRates& rates)
    : text_(text_of("fixed", rates)), factory_(factory_of<FixedRatesPolicy>(rates)) {}
LearningRate::LearningRate(const LraRates& rates)
    : text_(text_of("lra", rates)), factory_(factory_of<LraRatesPolicy>(rates)) {}
LearningRate::LearningRate(const S3LraRates& rates)
    : text_(text_of("s3-lra", rates)), factory_(factory_of<S3LraRatesPolicy>(rates)) {}
LearningRate::LearningRate(const GeodesicRates& rates)
    : text_(text_of("geodesic", rates)), factory_(factory_of<GeodesicRatesPolicy>(rates)) {}

AsRates::operator LearningRate() const { return text_of("as", *this); }

LearningRate::LearningRate(std::string name, Factory factory) : text_(std::move(name)) {
  if (text_.empty()) reject("learning_rate", "''", "a policy of your own needs a name");
  if (!factory) reject("learning_rate", "'" + text_ + "'", "its factory is empty");
  const std::string own = text_.substr(0, text_.find(':'));
  for (const Entry& entry : entries()) {
    if (entry.info.name == own) reject("learning_rate", "'" + text_ + "'", "the library has a policy of this name");
  }
  factory_ = [own = text_, factory = std::move(factory)](const LearningRateContext& context) {
    return std::make_unique<CheckedPolicy>(own, factory(context));
  };
}

const std::vector<LearningRateInfo>& learning_rate_table() {
  static const std::vector<LearningRateInfo> table = [] {
    std::vector<LearningRateInfo> infos;
    for (const Entry& entry : entries()) infos.push_back(entry.info);
    return infos;
  }();
  return table;
}

}  // namespace surefoot
