#include "surefoot/optimizer.hpp"

#include <istream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "driver/checkpoint_container.hpp"
#include "driver/search.hpp"
#include "driver/state_bytes.hpp"

namespace surefoot {

Optimizer::Optimizer(const Point& x0, const Sigma0& sigma0, Options options)
    : Optimizer(x0, sigma0, std::move(options), nullptr) {}

Optimizer::Optimizer(const Start& start, Options options)
    : search_(std::make_unique<Search>(start, std::move(options))) {}

Optimizer::Optimizer(const Point& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals)
    : search_(std::make_unique<Search>(x0.vector(), sigma0, std::move(options), std::move(normals))) {}

Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;
Optimizer::~Optimizer() = default;

const Matrix& Optimizer::ask() { return search_->ask(); }
Generation& Optimizer::generation() { return search_->generation(); }
void Optimizer::tell() { search_->tell_generation(); }
void Optimizer::abandon(StopReason reason) { search_->abandon(reason); }
void Optimizer::tell(const Matrix& candidates, const Vector& values) { search_->tell(candidates, values); }
StopReason Optimizer::stop_reason() const { return search_->stop().reason; }
Result Optimizer::result() const { return search_->result(); }
Index Optimizer::popsize() const { return search_->generation_size(); }
std::int64_t Optimizer::nfev() const { return search_->nfev(); }
std::int64_t Optimizer::nit() const { return search_->nit(); }
std::int64_t Optimizer::told() const { return search_->told(); }
std::uint64_t Optimizer::seed() const { return *search_->options().seed; }
const Options& Optimizer::options() const { return search_->options(); }
Start Optimizer::distribution() const {
  return search_->domain().user_distribution(search_->strategy().distribution());
}
const Strategy& Optimizer::strategy() const { return search_->strategy(); }

void Optimizer::tell(const Vector& values) {
  if (!search_->is_asked()) throw std::invalid_argument("tell: there is no population to have values; call ask first");
  search_->tell(search_->ask(), values);
}

std::string Optimizer::state() {
  StateWriter writer;
  search_->visit(writer, false);
  return writer.bytes();
}

void Optimizer::set_state(const std::string& bytes) {
  StateReader reader(bytes);
  search_->visit(reader, true);
  reader.finish();
}

void Optimizer::save(std::ostream& out) { out << seal(state()); }

void Optimizer::load(std::istream& in) { set_state(unseal(std::string(std::istreambuf_iterator<char>(in), {}))); }

}  // namespace surefoot
