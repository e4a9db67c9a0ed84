#include "c/search_request.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "driver/number_list.hpp"
#include "driver/option_text.hpp"
#include "driver/search_spec.hpp"

namespace surefoot {

namespace {

const std::string& file_name(const char* option, const std::string& name) {
  if (name.empty()) reject(option, "''", "give a name, or leave the option out");
  return name;
}

}  // namespace

/// An option that is no member of Options by one text.
struct SearchRequest::Row {
  const char* name;
  std::function<void(SearchRequest&, const std::string&)> set;
};

const std::vector<SearchRequest::Row>& SearchRequest::rows() {
  using Text = const std::string&;
  static const std::vector<Row> all = {
      {"checkpoint", [](SearchRequest& r, Text t) { r.files_.checkpoint = file_name("checkpoint", t); }},
      {"checkpoint_every",
       [](SearchRequest& r, Text t) {
         parse_interval(t);
         r.files_.checkpoint_every = t;
       }},
      {"inject", [](SearchRequest& r, Text t) { r.options_.inject = points_of("inject", t); }},
      {"log", [](SearchRequest& r, Text t) { r.files_.log = file_name("log", t); }},
      {"lower", [](SearchRequest& r, Text t) { r.options_.bounds.lower = vector_of("lower", t); }},
      {"overwrite", [](SearchRequest& r, Text t) { r.files_.overwrite = truth_of("overwrite", t); }},
      {"param", [](SearchRequest& r, Text t) { r.space_.add(t); }},
      {"sigma0", [](SearchRequest& r, Text t) { r.sigma0_ = numbers_of("sigma0", t); }},
      {"trace", [](SearchRequest& r, Text t) { r.files_.trace = file_name("trace", t); }},
      {"trace_timing", [](SearchRequest& r, Text t) { r.files_.trace_timing = truth_of("trace_timing", t); }},
      {"upper", [](SearchRequest& r, Text t) { r.options_.bounds.upper = vector_of("upper", t); }},
      {"warm_start", [](SearchRequest& r, Text t) { r.warm_start_ = file_name("warm_start", t); }},
      {"x0", [](SearchRequest& r, Text t) { r.x0_ = numbers_of("x0", t); }},
  };
  return all;
}

SearchRequest::SearchRequest(std::vector<double> x0, std::optional<double> sigma0) : x0_(std::move(x0)) {
  if (sigma0) sigma0_ = {require_positive("sigma0", *sigma0)};
}

std::vector<std::string> SearchRequest::names() {
  std::vector<std::string> all = text_options();
  for (const Row& row : rows()) all.emplace_back(row.name);
  std::sort(all.begin(), all.end());
  return all;
}

void SearchRequest::set(std::string option, const std::string& text) {
  std::replace(option.begin(), option.end(), '-', '_');
  const auto row = std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return option == r.name; });
  if (row != rows().end()) return row->set(*this, text);
  const std::vector<std::string> all = names();
  if (!std::binary_search(all.begin(), all.end(), option)) {
    reject("option", "'" + option + "'", "there are " + listed(all));
  }
  set_option(options_, option, text);
}

std::unique_ptr<Session> SearchRequest::begin(std::function<bool()> interrupt) const {
  Options options = options_;
  options.interrupt = std::move(interrupt);
  return make_session({.x0 = Eigen::Map<const Vector>(x0_.data(), static_cast<Index>(x0_.size())),
                       .sigma0 = sigma0_.size() == 1 ? Sigma0(sigma0_.front()) : Sigma0(sigma0_),
                       .space = space_,
                       .warm_file = warm_start_,
                       .options = std::move(options),
                       .files = files_});
}

}  // namespace surefoot
