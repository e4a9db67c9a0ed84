#include "report/report.hpp"

#include <map>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "report/assets.hpp"

namespace surefoot {
namespace {

std::string escape_html(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

/// Escapes JSON so that it cannot end its script element. These characters occur in strings only, where \u is the same.
/// Everything outside ASCII, U+2028 and U+2029 included, is escaped by dump; bytes that are not UTF-8 are replaced.
std::string escape_json(const nlohmann::ordered_json& data) {
  const std::string text = data.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    switch (c) {
      case '<': out += "\\u003c"; break;
      case '>': out += "\\u003e"; break;
      case '&': out += "\\u0026"; break;
      default: out += c;
    }
  }
  return out;
}

std::string scripts(ReportKind kind) {
  std::vector<std::string_view> names = {"chart.min.js", "format.js", "scales.js", "charts.js",
                                         "figure.js",    "export.js", "trace.js"};
  switch (kind) {
    case ReportKind::reproduction: names.insert(names.end(), {"table.js", "comparison.js", "reproduction.js"}); break;
    case ReportKind::run:
      names.insert(names.end(), {"table.js", "run_course.js", "run_constraints.js", "run_parameters.js",
                                 "run_compare.js", "run.js"});
      break;
    case ReportKind::scaling: names.emplace_back("scaling.js"); break;
    case ReportKind::bbob: names.insert(names.end(), {"table.js", "winner.js", "bbob.js"}); break;
    case ReportKind::arena: names.insert(names.end(), {"table.js", "winner.js", "arena.js"}); break;
    case ReportKind::practical: names.insert(names.end(), {"table.js", "practical.js"}); break;
  }
  std::string out;
  for (std::string_view name : names) out += "<script>\n" + embedded_text(name) + "</script>\n";
  return out;
}

/// Replaces every {{name}} in one pass, so that braces in a value stay what they are.
std::string fill(std::string_view page, const std::map<std::string, std::string, std::less<>>& values) {
  std::string out;
  while (true) {
    const auto open = page.find("{{");
    if (open == std::string_view::npos) return out.append(page);
    const auto close = page.find("}}", open);
    if (close == std::string_view::npos) throw std::logic_error("page.html: {{ without }}");
    const auto value = values.find(page.substr(open + 2, close - open - 2));
    if (value == values.end()) throw std::logic_error("page.html: unknown placeholder");
    out.append(page.substr(0, open)).append(value->second);
    page.remove_prefix(close + 2);
  }
}

}  // namespace

std::string report_page(ReportKind kind, const std::string& title, const nlohmann::ordered_json& data, int refresh) {
  const std::string reload =
      refresh > 0 ? R"(<meta http-equiv="refresh" content=")" + std::to_string(refresh) + "\">\n" : std::string();
  return fill(embedded_text("page.html"), {{"title", escape_html(title)},
                                           {"reload", reload},
                                           {"style", embedded_text("style.css")},
                                           {"theme", embedded_text("theme.js")},
                                           {"data", escape_json(data)},
                                           {"scripts", scripts(kind)}});
}

}  // namespace surefoot
