#include "simulators/template_file.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <string_view>

#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "driver/input_file.hpp"

namespace surefoot {
namespace {

/// The name at the beginning of a text, as parameters have them.
std::string_view leading_name(std::string_view text) {
  const auto is_inner = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; };
  if (text.empty() || (std::isalpha(static_cast<unsigned char>(text[0])) == 0 && text[0] != '_')) return {};
  return text.substr(0, static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_inner) - text.begin()));
}

/// The text between two marks at the beginning, such as rate in {rate}; empty if it is not a name.
std::string_view marked_name(std::string_view text, std::string_view open, std::string_view close) {
  if (!text.starts_with(open)) return {};
  const std::string_view name = leading_name(text.substr(open.size()));
  return text.substr(open.size() + name.size()).starts_with(close) ? name : std::string_view{};
}

/// Calls replace(name, position) for every placeholder, and puts its answer in place.
std::string replace_marks(std::string_view text,
                          const std::function<std::string(const std::string&, std::size_t)>& replace) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const std::size_t plain = std::min(rest.find_first_of("{@"), rest.size());
    if (plain > 0) {
      out.append(rest.substr(0, plain));
      at += plain;
      continue;
    }
    const bool is_brace = rest[0] == '{';
    const std::string_view doubled = is_brace ? marked_name(rest, "{{", "}}") : marked_name(rest, "@@", "@@");
    const std::string_view single = is_brace ? marked_name(rest, "{", "}") : marked_name(rest, "@", "@");
    if (!doubled.empty()) {
      out.append(rest.substr(1, doubled.size() + 2));
      at += doubled.size() + 4;
    } else if (!single.empty()) {
      out.append(replace(std::string(single), at));
      at += single.size() + 2;
    } else {
      out += rest[0];
      ++at;
    }
  }
  return out;
}

std::string target_of(const std::string& file) {
  const std::filesystem::path name = std::filesystem::path(file).filename();
  const std::string target = (name.extension() == ".in" ? name.stem() : name).string();
  if (target.empty() || target == "." || target == "..") {
    reject("template", "'" + file + "'", "without .in at its end it has no name");
  }
  return target;
}

}  // namespace

TemplateFile::TemplateFile(const std::string& file, const Placeholders& placeholders)
    : file_(file), text_(read_input_file("template", file)), target_(target_of(file)) {
  replace_marks(text_, [&](const std::string& name, std::size_t at) -> std::string {
    if (!placeholders.knows(name)) {
      const auto end = text_.begin() + static_cast<std::ptrdiff_t>(at);
      const std::string place =
          "template " + file + ", line " + surefoot::text(1 + std::count(text_.begin(), end, '\n'));
      const auto meant = placeholders.like(name);
      const std::string mark = text_.substr(at, name.size() + 2);
      reject(place, "'" + mark + "'",
             placeholders.known() + (meant ? "; did you mean " + *meant + "?" : ";") + " doubled, " + mark[0] + mark +
                 mark.back() + ", it stands for itself");
    }
    names_.push_back(name);
    return {};
  });
}

std::string TemplateFile::filled(const Placeholders& placeholders, const ProgramCandidate& candidate) const {
  return replace_marks(
      text_, [&](const std::string& name, std::size_t /*at*/) { return placeholders.value(name, candidate); });
}

void TemplateFile::write(const Placeholders& placeholders, const ProgramCandidate& candidate,
                         const std::filesystem::path& folder) const {
  const std::filesystem::path path = folder / target_;
  std::ofstream out(path, std::ios::binary);
  out << filled(placeholders, candidate);
  out.close();
  if (!out) throw OutputError("template " + file_ + ": " + path.string() + " cannot be written");
  std::error_code ignored;  // a script stays one that can be started
  std::filesystem::permissions(path, std::filesystem::status(file_, ignored).permissions(), ignored);
}

}  // namespace surefoot
