#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "c/search_request.hpp"
#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpoint_file.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "surefoot.h"
#include "surefoot/outcome.hpp"
#include "surefoot/version.hpp"

/// What the handle refers to: first a request, then a session.
struct sf_search {
  surefoot::SearchRequest request;
  std::unique_ptr<surefoot::Session> session = {};
  bool is_open = false;           // the session's files
  bool is_asked = false;          // there are points that wait for their values
  bool has_failed = false;        // the last ask, tell or minimize
  std::string trouble = {};       // of the last call
  mutable std::string text = {};  // what a function has handed out
  std::atomic<bool> is_interrupted = false;
};

namespace surefoot {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// The one place that keeps exceptions from the caller. Says whether there was one.
template <class Action>
int guarded(sf_search& search, const Action& action) noexcept {
  try {
    search.trouble.clear();
    action();
    return 0;
  } catch (const std::exception& error) {
    try {
      search.trouble = error.what();
    } catch (...) {  // no memory for the sentence
    }
  } catch (...) {
    try {
      search.trouble = "an exception not derived from std::exception";
    } catch (...) {
    }
  }
  return 1;
}

/// The same for a function that only looks.
template <class Value, class Look>
Value looked_up(const sf_search* search, Value otherwise, const Look& look) noexcept {
  if (search == nullptr) return otherwise;
  try {
    return look(*search);
  } catch (...) {
    return otherwise;
  }
}

/// A step of the search; sf_stop tells those who do not ask whether it went well.
template <class Action>
int step_of(sf_search* search, const Action& action) noexcept {
  if (search == nullptr) return 1;
  const int status = guarded(*search, action);
  search->has_failed = status != 0;
  return status;
}

void require_pointer(const void* pointer, const char* name) {
  if (pointer == nullptr) throw std::invalid_argument(std::string(name) + ": a null pointer is not allowed");
}

Optimizer& begun_search(sf_search& s) {
  if (!s.session) s.session = s.request.begin([&s] { return s.is_interrupted.load(); });
  return s.session->search();
}

void open_files(sf_search& s) {
  begun_search(s);
  if (!s.is_open) s.session->open();
  s.is_open = true;
}

void close_files(sf_search& s) {
  if (!s.is_open) return;
  s.is_open = false;
  s.session->close();
}

void require_nothing_lost(const sf_search& s) {
  if (s.session->lost().empty()) return;
  throw std::runtime_error(s.session->lost().front());
}

void write_error(const char* reason, char* error, std::size_t size) {
  if (error == nullptr || size == 0) return;
  const std::size_t length = std::min(std::strlen(reason), size - 1);
  std::copy_n(reason, length, error);
  error[length] = '\0';
}

std::vector<double> checked_x0(int n, const double* x0) {
  if (n < 0) reject("n", n, "it must be at least 0");
  if (n > 0) require_pointer(x0, "x0");
  return {x0, x0 + n};
}

/// The space and the dimension before there is a session come from one that is thrown away: it has no files yet.
template <class Use>
auto with_search(const sf_search& s, const Use& use) {
  if (s.session) return use(s.session->search());
  return use(s.request.begin({})->search());
}

/// f, then constraints and equalities.
std::size_t values_of_a_point(const Options& options) {
  return 1 + static_cast<std::size_t>(options.constraints) + static_cast<std::size_t>(options.equalities);
}

/// An interruption is over once it has ended the search, which can then continue. One that comes before that counts.
void forget_interruption(sf_search& s) {
  if (s.session->search().stop_reason() != StopReason::interrupted) return;
  s.is_interrupted = false;
  s.session->search().set_state(s.session->search().state());
}

/// Evaluates to the end. Points of a loop that the caller began with sf_ask are asked for again.
template <class F>
void run_to_end(sf_search& s, const F& f) {
  close_files(s);
  s.is_asked = false;
  forget_interruption(s);
  s.session->minimize(f);
  require_nothing_lost(s);
}

/// What differs is said of the file.
void load_state(Optimizer& search, const std::string& file) {
  const std::string state = read_checkpoint(file).state;
  try {
    search.set_state(state);
  } catch (const std::invalid_argument& difference) {
    reject("file", file, std::string("it belongs to another search: ") + difference.what());
  }
}

Index dimension_of(const Optimizer& search) { return search.result().x.size(); }

}  // namespace
}  // namespace surefoot

using surefoot::guarded;
using surefoot::looked_up;
using surefoot::step_of;

const char* sf_version(void) { return surefoot::version; }

sf_search* sf_new(int n, const double* x0, double sigma0, char* error, size_t error_size) {
  try {
    const auto sigma = sigma0 == 0 ? std::optional<double>() : sigma0;
    return new sf_search{.request = surefoot::SearchRequest(surefoot::checked_x0(n, x0), sigma)};
  } catch (const std::exception& reason) {
    surefoot::write_error(reason.what(), error, error_size);
  } catch (...) {
    surefoot::write_error("unknown trouble", error, error_size);
  }
  return nullptr;
}

void sf_free(sf_search* search) {
  const std::unique_ptr<sf_search> owned(search);
  if (owned != nullptr) guarded(*owned, [&] { surefoot::close_files(*owned); });
}

int sf_set(sf_search* search, const char* option, const char* value) {
  if (search == nullptr) return 1;
  return guarded(*search, [&] {
    surefoot::require_pointer(option, "option");
    surefoot::require_pointer(value, "value");
    if (search->session) {
      throw std::invalid_argument(std::string(option) + ": options are set before the search begins");
    }
    search->request.set(option, value);
    search->has_failed = false;  // what was refused may be right now
  });
}

int sf_ask(sf_search* search, const double** population, int* popsize) {
  return step_of(search, [&] {
    surefoot::require_pointer(population, "population");
    surefoot::require_pointer(popsize, "popsize");
    surefoot::open_files(*search);
    const surefoot::Matrix& points = search->session->search().ask();
    *population = points.data();
    *popsize = static_cast<int>(points.cols());
    search->is_asked = true;
  });
}

int sf_tell(sf_search* search, const double* values) {
  return step_of(search, [&] {
    surefoot::require_pointer(values, "values");
    if (!search->is_asked) throw std::invalid_argument("tell: sf_ask comes first");
    surefoot::Generation& generation = search->session->search().generation();
    const std::size_t count = surefoot::values_of_a_point(search->session->search().options());
    for (surefoot::Index i = 0; i < generation.size(); ++i) {
      const double* const first = values + static_cast<std::size_t>(i) * count;
      if (generation.is_open(i)) generation.set(i, std::span<const double>(first, count));
    }
    search->is_asked = false;
    search->session->tell();
    if (!search->session->search().stop()) return;
    surefoot::close_files(*search);
    surefoot::require_nothing_lost(*search);
  });
}

int sf_minimize(sf_search* search, sf_function f, void* data) {
  return step_of(search, [&] {
    if (f == nullptr) throw std::invalid_argument("f: a null pointer is not allowed");
    if (surefoot::values_of_a_point(surefoot::begun_search(*search).options()) > 1) {
      throw std::invalid_argument(
          "constraints: a function of sf_minimize gives one value; use sf_minimize_constrained");
    }
    surefoot::run_to_end(
        *search, [f, data](std::span<const double> x) { return f(static_cast<int>(x.size()), x.data(), data); });
  });
}

int sf_minimize_constrained(sf_search* search, sf_constrained_function f, void* data) {
  return step_of(search, [&] {
    if (f == nullptr) throw std::invalid_argument("f: a null pointer is not allowed");
    const surefoot::Options& options = surefoot::begun_search(*search).options();
    const std::size_t count = surefoot::values_of_a_point(options);
    const auto inequalities = static_cast<std::ptrdiff_t>(options.constraints);
    surefoot::run_to_end(*search, [f, data, count, inequalities](std::span<const double> x) {
      std::vector<double> values(count, surefoot::no_value);
      f(static_cast<int>(x.size()), x.data(), values.data(), data);
      const auto g = values.begin() + 1;
      return surefoot::Evaluation{
          .f = values.front(), .g = {g, g + inequalities}, .h = {g + inequalities, values.end()}};
    });
  });
}

void sf_interrupt(sf_search* search) {
  if (search != nullptr) search->is_interrupted = true;
}

int sf_stop_because(sf_search* search, const char* sentence) {
  if (search == nullptr) return 1;
  return guarded(*search, [&] {
    surefoot::require_pointer(sentence, "sentence");
    surefoot::begun_search(*search).stop_because(sentence);
    search->is_asked = false;
  });
}

int sf_stop(const sf_search* search) {
  if (search == nullptr || search->has_failed) return -1;
  return looked_up(search, -1, [](const sf_search& s) {
    return s.session ? static_cast<int>(s.session->search().stop_reason()) : 0;
  });
}

int sf_success(const sf_search* search) {
  return looked_up(search, 0, [](const sf_search& s) { return s.session && s.session->search().result().success; });
}

double sf_best(const sf_search* search, double* x) {
  return looked_up(search, surefoot::no_value, [x](const sf_search& s) {
    return surefoot::with_search(s, [x](const surefoot::Optimizer& o) {
      const surefoot::Result best = o.result();
      if (x != nullptr) std::copy_n(best.x.data(), best.x.size(), x);
      return best.fun;
    });
  });
}

int sf_distribution(const sf_search* search, double* mean, double* deviations) {
  return looked_up(search, -1, [=](const sf_search& s) {
    return surefoot::with_search(s, [=](const surefoot::Optimizer& o) {
      const surefoot::Result now = o.result();
      if (mean != nullptr) std::copy_n(now.xfavorite.data(), now.xfavorite.size(), mean);
      if (deviations != nullptr) std::copy_n(now.stds.data(), now.stds.size(), deviations);
      return 0;
    });
  });
}

double sf_violation(const sf_search* search) {
  return looked_up(search, surefoot::no_value, [](const sf_search& s) {
    const auto look = [](const surefoot::Optimizer& o) {
      const surefoot::Result best = o.result();
      return surefoot::is_finite(best.fun) ? best.violation : surefoot::no_value;
    };
    return surefoot::with_search(s, look);
  });
}

int sf_dimension(const sf_search* search) {
  return looked_up(search, 0, [](const sf_search& s) {
    if (!s.request.x0().empty()) return static_cast<int>(s.request.x0().size());
    return static_cast<int>(surefoot::with_search(s, surefoot::dimension_of));
  });
}

int64_t sf_nfev(const sf_search* search) {
  return looked_up(search, int64_t{0},
                   [](const sf_search& s) { return s.session ? s.session->search().result().nfev : int64_t{0}; });
}

int64_t sf_nit(const sf_search* search) {
  return looked_up(search, int64_t{0},
                   [](const sf_search& s) { return s.session ? s.session->search().nit() : int64_t{0}; });
}

uint64_t sf_seed(const sf_search* search) {
  return looked_up(search, uint64_t{0},
                   [](const sf_search& s) { return s.session ? s.session->search().seed() : uint64_t{0}; });
}

const char* sf_message(const sf_search* search) {
  if (search == nullptr) return "search: a null pointer is not allowed";
  if (!search->trouble.empty()) return search->trouble.c_str();
  return looked_up(search, "there is no memory for a message", [](const sf_search& s) {
    s.text = s.session ? s.session->search().result().message : "the search has not begun";
    return s.text.c_str();
  });
}

const char* sf_name(const sf_search* search, int j) {
  return looked_up(search, "", [j](const sf_search& s) {
    const auto names = surefoot::with_search(s, [](const surefoot::Optimizer& o) { return o.names(); });
    s.text = j >= 0 && static_cast<std::size_t>(j) < names.size() ? names[static_cast<std::size_t>(j)] : "";
    return s.text.c_str();
  });
}

const char* sf_text(const sf_search* search, int j, double value) {
  return looked_up(search, "", [j, value](const sf_search& s) {
    s.text = surefoot::with_search(s, [j, value](const surefoot::Optimizer& o) {
      return j >= 0 && j < surefoot::dimension_of(o) ? surefoot::parameter_text(o.space(), j, value) : "";
    });
    return s.text.c_str();
  });
}

int sf_save(sf_search* search, const char* file) {
  if (search == nullptr) return 1;
  return guarded(*search, [&] {
    surefoot::require_pointer(file, "file");
    if (std::filesystem::exists(file) && !surefoot::looks_like_a_checkpoint(file)) {
      surefoot::reject("file", file, "the file exists and is not a checkpoint");
    }
    surefoot::Checkpoint checkpoint{.about = "surefoot.h", .state = surefoot::begun_search(*search).state()};
    surefoot::write_checkpoint(file, checkpoint);
  });
}

int sf_load(sf_search* search, const char* file) {
  if (search == nullptr) return 1;
  return guarded(*search, [&] {
    surefoot::require_pointer(file, "file");
    surefoot::load_state(surefoot::begun_search(*search), file);
    search->is_asked = false;
  });
}
