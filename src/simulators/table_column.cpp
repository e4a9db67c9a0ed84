#include "simulators/table_column.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>

#include "evaluators/answer_text.hpp"

namespace surefoot {
namespace {

std::string without_quotes(std::string_view cell) {
  cell = trimmed(cell);
  const bool is_quoted = cell.size() > 1 && (cell[0] == '"' || cell[0] == '\'') && cell.back() == cell[0];
  return std::string(is_quoted ? cell.substr(1, cell.size() - 2) : cell);
}

bool is_whole_number(const std::string& word) {
  return !word.empty() && word.size() < 9 &&
         std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// The lines that have something to say.
std::vector<std::string_view> rows_of(std::string_view table) {
  std::vector<std::string_view> rows;
  while (!table.empty()) {
    const std::size_t end = std::min(table.find('\n'), table.size());
    const std::string_view line = trimmed(table.substr(0, end));
    if (!line.empty() && line[0] != '#') rows.push_back(line);
    table.remove_prefix(std::min(end + 1, table.size()));
  }
  return rows;
}

/// The place of a column; none if there is no such column.
std::optional<std::size_t> place_of(const std::string& column, const std::vector<std::string>& first) {
  const auto found = std::find(first.begin(), first.end(), column);
  if (found != first.end()) return static_cast<std::size_t>(found - first.begin());
  if (!is_whole_number(column) || column == "0") return std::nullopt;
  return std::stoul(column) - 1;
}

}  // namespace

std::vector<std::string> cells_of(std::string_view line) {
  const std::size_t mark = line.find_first_of(",;");
  const std::string_view separators = mark == std::string_view::npos ? " \t" : line.substr(mark, 1);
  std::vector<std::string> cells;
  while (true) {
    const std::size_t end = std::min(line.find_first_of(separators), line.size());
    cells.push_back(without_quotes(line.substr(0, end)));
    if (end == line.size()) return cells;
    line.remove_prefix(end + 1);
    if (mark == std::string_view::npos) line = trimmed(line);
  }
}

std::string append_column(std::string_view table, const std::string& column, std::vector<double>& values) {
  const std::vector<std::string_view> rows = rows_of(table);
  if (rows.empty()) return "there is no table";
  const std::vector<std::string> first = cells_of(rows[0]);
  const std::optional<std::size_t> place = is_whole_number(column) ? place_of(column, {}) : place_of(column, first);
  if (!place) return "there is no column '" + column + "'";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<std::string> cells = cells_of(rows[i]);
    const std::optional<double> number = *place < cells.size() ? number_of(cells[*place]) : std::nullopt;
    if (number) {
      values.push_back(*number);
    } else if (i > 0) {
      return "column '" + column + "' has no number in '" + excerpt(rows[i]) + "'";
    }
  }
  return rows.size() == 1 && values.empty() ? "column '" + column + "' has no numbers" : "";
}

}  // namespace surefoot
