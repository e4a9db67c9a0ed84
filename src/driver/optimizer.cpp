#include "surefoot/optimizer.hpp"

#include <istream>
#include <iterator>
#include <ostream>
#include <utility>

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
void Optimizer::abandon(StopReason reason) { search_->abandon(reason); }
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
  auto fresh = std::make_unique<Search>(search_->setup());  // so that a failure leaves the search as it is
  StateReader reader(bytes);
  fresh->restore(reader);
  reader.finish();
  search_ = std::move(fresh);
}

void Optimizer::save(std::ostream& out) const { out << seal(state()); }

void Optimizer::load(std::istream& in) { set_state(unseal(std::string(std::istreambuf_iterator<char>(in), {}))); }

}  // namespace surefoot
