#include "surefoot/optimizer.hpp"

#include <istream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"
#include "driver/checkpoint/state_bytes.hpp"
#include "search/result_of.hpp"
#include "search/search.hpp"

namespace surefoot {
namespace {

std::unique_ptr<Search> begun(Setup setup) {
  auto search = std::make_unique<Search>(std::move(setup));
  search->begin();
  return search;
}

/// Said before anything that follows from it, such as another popsize.
void require_dimension(const std::string& state, const Search& search) {
  StateReader reader(state);
  reader.skip_to("seed");
  std::string seed;
  reader.text("seed", seed);
  if (reader.has_next("space") || !search.setup().domain->space().empty()) return;  // names say more
  reader.skip_to("x0");
  Vector x0;
  reader.vector("x0", x0);
  const Index dimension = search.setup().domain->user_dimension();
  if (x0.size() == dimension) return;
  throw std::invalid_argument("its x0 has " + text(x0.size()) + (x0.size() == 1 ? " coordinate" : " coordinates") +
                              ", here it has " + text(dimension));
}

}  // namespace

Optimizer::Optimizer(const Point& x0, const Sigma0& sigma0, Options options)
    : Optimizer(x0, sigma0, std::move(options), nullptr) {}

Optimizer::Optimizer(const Start& start, Options options) : search_(begun(set_up(start, std::move(options)))) {}

Optimizer::Optimizer(const Point& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals)
    : search_(begun(set_up(x0.vector(), sigma0, std::move(options), std::move(normals)))) {}

Optimizer::Optimizer(const Space& space, Options options)
    : search_(begun(set_up(space, nullptr, std::move(options)))) {}

Optimizer::Optimizer(const Space& space, const std::string& warm_state, Options options) {
  const NamedStart warm_start = named_start_of_state(warm_state);
  search_ = begun(set_up(space, &warm_start, std::move(options)));
}

Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;
Optimizer::~Optimizer() = default;

const Matrix& Optimizer::ask() { return search_->generation().population(); }
Generation& Optimizer::generation() { return search_->generation(); }
void Optimizer::tell() { search_->tell(); }
void Optimizer::tell(const Vector& values) { search_->tell(values); }
void Optimizer::tell(const Matrix& candidates, const Vector& values) { search_->tell(candidates, values); }
void Optimizer::tell(const std::vector<Evaluation>& evaluations) { search_->tell(evaluations); }
void Optimizer::tell(const Matrix& candidates, const std::vector<Evaluation>& evaluations) {
  search_->tell(candidates, evaluations);
}
void Optimizer::on_outcome(std::function<void(Index)> done) { search_->on_outcome(std::move(done)); }
void Optimizer::name_constraints(std::vector<std::string> names) { search_->name_constraints(std::move(names)); }
void Optimizer::abandon(StopReason reason) {
  if (reason != StopReason::interrupted && reason != StopReason::timeout) {
    reject("abandon: reason", name(reason), "it must be interrupted or timeout; stop_because takes one of your own");
  }
  search_->abandon(reason);
}
void Optimizer::stop_because(const std::string& sentence) {
  if (sentence.empty()) reject("stop_because: sentence", "''", "say why the search ends");
  search_->stop_because(sentence);
}
StopReason Optimizer::stop_reason() const { return search_->stop().reason; }
Result Optimizer::result() const { return result_of(*search_); }
bool Optimizer::is_asked() const { return search_->is_asked(); }
const Generation& Optimizer::present() const { return search_->present().generation(); }
Place Optimizer::place_of(Index candidate) const { return search_->place_of(candidate); }
bool Optimizer::has_counted(const Place& place) const { return search_->has_counted(place); }
Index Optimizer::dimension() const { return search_->setup().domain->user_dimension(); }
Index Optimizer::popsize() const { return search_->generation_size(); }
std::int64_t Optimizer::nfev() const { return search_->tally().nfev; }
std::int64_t Optimizer::nit() const { return search_->tally().nit; }
std::int64_t Optimizer::told() const { return search_->told(); }
double Optimizer::elapsed() const { return search_->elapsed(); }
const FailureCounts& Optimizer::failures() const { return search_->tally().kinds; }
std::uint64_t Optimizer::seed() const { return *search_->setup().options.seed; }
const Options& Optimizer::options() const { return search_->setup().options; }
const Strategy& Optimizer::strategy() const { return search_->run().strategy(); }

const Space& Optimizer::space() const { return search_->setup().domain->space(); }
std::vector<std::string> Optimizer::names() const {
  return parameter_names(space(), search_->setup().domain->user_dimension());
}

Start Optimizer::distribution() const { return distribution_of(*search_); }
Start Optimizer::last_run_distribution() const { return last_distribution_of(*search_); }

std::string Optimizer::state() const {
  StateWriter writer;
  search_->save(writer);
  return writer.bytes();
}

void Optimizer::set_state(const std::string& bytes) {
  restore(bytes);
  search_->end_again();
}

void Optimizer::restore(const std::string& bytes) {
  require_dimension(bytes, *search_);
  auto fresh = std::make_unique<Search>(search_->setup());  // so that a failure leaves the search as it is
  StateReader reader(bytes);
  fresh->restore(reader);
  reader.finish();
  search_ = std::move(fresh);
}

void Optimizer::save(std::ostream& out) const { out << seal(state()); }

void Optimizer::load(std::istream& in) { set_state(unseal(std::string(std::istreambuf_iterator<char>(in), {}))); }

}  // namespace surefoot
