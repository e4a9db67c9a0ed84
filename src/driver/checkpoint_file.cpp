#include "driver/checkpoint_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <limits>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "core/invalid_option.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

constexpr std::string_view magic = "surefoot checkpoint\n";

template <class Unsigned>
void append(std::string& bytes, Unsigned value) {
  std::array<char, sizeof value> little_endian{};
  for (char& byte : little_endian) {
    byte = static_cast<char>(value & 0xff);
    value = static_cast<Unsigned>(value >> 8);
  }
  bytes.append(little_endian.data(), little_endian.size());
}

template <class Unsigned>
Unsigned decode(std::string_view little_endian) {
  Unsigned value = 0;
  for (std::size_t i = sizeof value; i-- > 0;) {
    value = static_cast<Unsigned>(value << 8) | static_cast<unsigned char>(little_endian[i]);
  }
  return value;
}

std::optional<std::string_view> take_front(std::string_view& rest, std::uint64_t count) {
  if (count > rest.size()) return std::nullopt;
  const std::string_view front = rest.substr(0, count);
  rest.remove_prefix(count);
  return front;
}

/// Text of a file for a message: the file may be hostile, so it is neither long nor does it steer a terminal.
std::string shown(std::string_view words) {
  constexpr std::size_t longest = 60;
  std::string safe(words.substr(0, longest));
  for (char& c : safe) c = c >= ' ' && c <= '~' ? c : '?';
  return words.size() > longest ? safe + "..." : safe;
}

namespace type {
constexpr char scalar = 's';
constexpr char vector = 'v';
constexpr char matrix = 'm';
constexpr char integer = 'i';
constexpr char text = 't';
}  // namespace type

std::string type_name(char code) {
  switch (code) {
    case type::scalar: return "scalar";
    case type::vector: return "vector";
    case type::matrix: return "matrix";
    case type::integer: return "integer";
    case type::text: return "text";
    default: return "unknown";
  }
}

std::string shape(std::uint64_t rows, std::uint64_t columns) { return text(rows) + " x " + text(columns); }

std::span<const double> elements(const auto& array) { return {array.data(), static_cast<std::size_t>(array.size())}; }
std::span<double> elements(auto& array) { return {array.data(), static_cast<std::size_t>(array.size())}; }

}  // namespace

void StateWriter::scalar(std::string_view name, double& value) {
  field(type::scalar, name);
  doubles({&value, 1});
}

void StateWriter::vector(std::string_view name, Vector& value) {
  field(type::vector, name);
  append(bytes_, static_cast<std::uint64_t>(value.size()));
  doubles(elements(value));
}

void StateWriter::matrix(std::string_view name, Matrix& value) {
  field(type::matrix, name);
  append(bytes_, static_cast<std::uint64_t>(value.rows()));
  append(bytes_, static_cast<std::uint64_t>(value.cols()));
  doubles(elements(value));
}

void StateWriter::integer(std::string_view name, std::int64_t& value) {
  field(type::integer, name);
  append(bytes_, static_cast<std::uint64_t>(value));
}

void StateWriter::text(std::string_view name, std::string& value) {
  field(type::text, name);
  words(value);
}

void StateWriter::field(char type, std::string_view name) {
  bytes_.push_back(type);
  words(name);
}

void StateWriter::words(std::string_view characters) {
  append(bytes_, std::uint64_t{characters.size()});
  bytes_.append(characters);
}

void StateWriter::doubles(std::span<const double> values) {
  for (const double& value : values) append(bytes_, std::bit_cast<std::uint64_t>(value));
}

void StateReader::scalar(std::string_view name, double& value) {
  field(type::scalar, name);
  doubles({&value, 1}, name);
}

void StateReader::vector(std::string_view name, Vector& value) {
  field(type::vector, name);
  const std::uint64_t size = number(name);
  if (value.size() != 0 && size != static_cast<std::uint64_t>(value.size())) {
    reject("checkpoint: size of " + shown(name), size, "it must be " + surefoot::text(value.size()));
  }
  require_room(size, 1, name);
  value.resize(static_cast<Index>(size));
  doubles(elements(value), name);
}

void StateReader::matrix(std::string_view name, Matrix& value) {
  field(type::matrix, name);
  const std::uint64_t rows = number(name);
  const std::uint64_t columns = number(name);
  const std::string found = shape(rows, columns);
  const std::string expected =
      shape(static_cast<std::uint64_t>(value.rows()), static_cast<std::uint64_t>(value.cols()));
  if (value.size() != 0 && found != expected) {
    reject("checkpoint: size of " + shown(name), found, "it must be " + expected);
  }
  require_room(rows, columns, name);
  value.resize(static_cast<Index>(rows), static_cast<Index>(columns));
  doubles(elements(value), name);
}

void StateReader::integer(std::string_view name, std::int64_t& value) {
  field(type::integer, name);
  value = static_cast<std::int64_t>(number(name));
}

void StateReader::text(std::string_view name, std::string& value) {
  field(type::text, name);
  value = take(number(name), name);
}

void StateReader::finish() const {
  if (rest_.empty()) return;
  throw std::invalid_argument("checkpoint: " + surefoot::text(rest_.size()) + " bytes are left over");
}

void StateReader::skip_to(std::string_view name) {
  while (true) {
    const std::string_view before = rest_;
    const char found_type = take(1, name).front();
    if (take(number(name), name) == name) {
      rest_ = before;
      return;
    }
    std::uint64_t size = sizeof(double);
    if (found_type == type::text) {
      size = number(name);
    } else if (found_type == type::vector || found_type == type::matrix) {
      const std::uint64_t rows = number(name);
      const std::uint64_t columns = found_type == type::matrix ? number(name) : 1;
      require_room(rows, columns, name);
      size = rows * columns * sizeof(double);
    }
    take(size, name);
  }
}

void StateReader::field(char type, std::string_view name) {
  const char found_type = take(1, name).front();
  const std::string_view found_name = take(number(name), name);
  if (found_name != name) reject("checkpoint: field", shown(found_name), "it must be " + shown(name));
  if (found_type != type) {
    reject("checkpoint: type of " + shown(name), type_name(found_type), "it must be " + type_name(type));
  }
}

std::string_view StateReader::take(std::uint64_t count, std::string_view name) {
  if (const auto front = take_front(rest_, count)) return *front;
  throw std::invalid_argument("checkpoint: bytes are missing at " + shown(name));
}

std::uint64_t StateReader::number(std::string_view name) {
  return decode<std::uint64_t>(take(sizeof(std::uint64_t), name));
}

/// \throws unless the remaining bytes hold rows x columns doubles. Without columns any number of rows fits, and the
/// other way round, but not more than Eigen can count.
void StateReader::require_room(std::uint64_t rows, std::uint64_t columns, std::string_view name) const {
  constexpr std::uint64_t countable = std::numeric_limits<Index>::max();
  const std::uint64_t room = rest_.size() / sizeof(double);
  const bool fits = rows == 0 || columns <= room / rows;
  if (fits && rows <= countable && columns <= countable) return;
  throw std::invalid_argument("checkpoint: " + shape(rows, columns) + " numbers are more than there are bytes for at " +
                              shown(name));
}

void StateReader::doubles(std::span<double> values, std::string_view name) {
  std::string_view bits = take(values.size_bytes(), name);
  for (double& value : values) {
    value = std::bit_cast<double>(decode<std::uint64_t>(bits));
    bits.remove_prefix(sizeof value);
  }
}

namespace {

constexpr std::array<std::uint64_t, 256> crc_table() {
  constexpr std::uint64_t reflected_polynomial = 0xC96C5795D7870F42;
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t byte = 0; byte < table.size(); ++byte) {
    std::uint64_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? reflected_polynomial : 0);
    table[byte] = rest;
  }
  return table;
}

struct Container {
  std::uint32_t format;
  std::string_view version;
  std::uint64_t checksum;
  std::uint64_t expected_checksum;
  std::string_view payload;
};

std::string_view header_field(std::string_view& rest, std::uint64_t size) {
  if (const auto front = take_front(rest, size)) return *front;
  throw std::invalid_argument("truncated checkpoint: it ends within its header");
}

template <class Unsigned>
Unsigned header_number(std::string_view& rest) {
  return decode<Unsigned>(header_field(rest, sizeof(Unsigned)));
}

/// Whether bytes could be the start of a checkpoint; no bytes could.
bool starts_like_a_checkpoint(std::string_view bytes) {
  return bytes.substr(0, magic.size()) == magic.substr(0, bytes.size());
}

/// \throws if bytes are something else, or if their number is not the one that the header says.
Container parse(std::string_view bytes) {
  if (!starts_like_a_checkpoint(bytes)) throw std::invalid_argument("not a Surefoot checkpoint");
  std::string_view rest = bytes;
  header_field(rest, magic.size());
  Container container{};
  container.format = header_number<std::uint32_t>(rest);
  container.version = header_field(rest, header_number<std::uint32_t>(rest));
  const auto length = header_number<std::uint64_t>(rest);
  const std::string_view summed = bytes.substr(0, bytes.size() - rest.size());
  container.checksum = header_number<std::uint64_t>(rest);
  container.payload = rest;
  if (rest.size() < length) {
    throw std::invalid_argument("truncated checkpoint: " + text(rest.size()) + " of " + text(length) +
                                " bytes of state are there");
  }
  if (rest.size() > length) {
    throw std::invalid_argument("damaged checkpoint: " + text(rest.size() - length) + " bytes too many");
  }
  container.expected_checksum = crc64(container.payload, crc64(summed));
  return container;
}

void require_readable_format(const Container& container) {
  if (container.format > checkpoint_format) {
    throw std::invalid_argument("checkpoint of a newer version: Surefoot " + shown(container.version) +
                                " wrote it in format " + text(container.format) + ", this is Surefoot " + version +
                                " and reads format " + text(checkpoint_format));
  }
  // The checksum holds, but no version has ever written this.
  if (container.format == 0) throw std::invalid_argument("damaged checkpoint: there is no format 0");
}

}  // namespace

std::uint64_t crc64(std::string_view bytes, std::uint64_t before) {
  static constexpr std::array<std::uint64_t, 256> table = crc_table();
  std::uint64_t sum = ~before;
  for (const char byte : bytes) sum = table[(sum ^ static_cast<unsigned char>(byte)) & 0xff] ^ (sum >> 8);
  return ~sum;
}

std::string seal(std::string_view payload) {
  const std::string_view writer = version;
  std::string bytes(magic);
  append(bytes, checkpoint_format);
  append(bytes, static_cast<std::uint32_t>(writer.size()));
  bytes += writer;
  append(bytes, std::uint64_t{payload.size()});
  append(bytes, crc64(payload, crc64(bytes)));
  return bytes.append(payload);
}

std::string unseal(std::string_view bytes) {
  const Container container = parse(bytes);
  if (container.checksum != container.expected_checksum) {
    throw std::invalid_argument("damaged checkpoint: its checksum is wrong");
  }
  require_readable_format(container);
  return std::string(container.payload);
}

namespace {

std::string reason(int error) { return " (" + std::generic_category().message(error) + ")"; }

[[noreturn]] void fail_to_write(const std::string& file, int error = errno) {
  throw std::runtime_error(file + " cannot be written" + reason(error));
}

[[noreturn]] void fail_to_read(int error = errno) { throw std::invalid_argument("it cannot be read" + reason(error)); }

/// Repeats a system call that a signal interrupted.
auto uninterrupted(auto call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { close(); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool valid() const { return number_ >= 0; }
  /// Some file systems report failed writes only here. Not repeated after a signal: Linux has closed it then.
  bool close() {
    if (!valid()) return true;
    const int result = ::close(number_);
    number_ = -1;
    return result == 0 || errno == EINTR;
  }

 private:
  int number_;
};

/// A name beside FILE that goes away with its owner, if a rename has not taken it away before.
class TemporaryName {
 public:
  /// A number of its own for each name of this process. What a killed process of the same number left behind is in the
  /// way of one name only: create tries the next.
  explicit TemporaryName(const std::string& file) {
    static std::atomic<std::uint64_t> count = 0;
    name_ = file + ".tmp." + text(::getpid()) + "." + text(count++);
  }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName(TemporaryName&&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;
  TemporaryName& operator=(TemporaryName&&) = delete;
  ~TemporaryName() {
    if (owned_) ::unlink(name_.c_str());
  }

  /// Whether create, which must not touch a file that exists, has made the file.
  bool own(auto create) { return owned_ = create(name_.c_str()) >= 0; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  bool owned_ = false;
};

constexpr int stale_names_at_most = 1000;

/// Makes a file under the first temporary name that is free. Returns 0 or the error, then without a temporary.
int create_beside(const std::string& file, std::optional<TemporaryName>& temporary, auto create) {
  int error = EEXIST;
  for (int attempt = 0; attempt < stale_names_at_most && error == EEXIST; ++attempt) {
    error = temporary.emplace(file).own(create) ? 0 : errno;
  }
  if (error != 0) temporary.reset();
  return error;
}

/// All of bytes, on the disk and not only in the system's memory.
void write_durably(Descriptor& descriptor, std::string_view bytes, const std::string& file) {
  while (!bytes.empty()) {
    const ssize_t count = uninterrupted([&] { return ::write(descriptor.number(), bytes.data(), bytes.size()); });
    if (count < 0) fail_to_write(file);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (uninterrupted([&] { return ::fsync(descriptor.number()); }) < 0) fail_to_write(file);
  if (!descriptor.close()) fail_to_write(file);
}

void write_beside(const std::string& file, std::optional<TemporaryName>& temporary, std::string_view bytes) {
  int number = -1;
  const int error = create_beside(file, temporary, [&number](const char* name) {
    number = uninterrupted([name] { return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
    return number;
  });
  if (error != 0) fail_to_write(file, error);
  Descriptor descriptor(number);
  write_durably(descriptor, bytes, file);
}

void rename_to(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail_to_write(to);
}

/// Makes the renames durable.
void sync_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const Descriptor descriptor(
      uninterrupted([&folder] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!descriptor.valid()) fail_to_write(file.native());
  // EINVAL: a file system that has no such thing for folders.
  if (uninterrupted([&descriptor] { return ::fsync(descriptor.number()); }) < 0 && errno != EINVAL) {
    fail_to_write(file.native());
  }
}

std::string previous(const std::string& file) { return file + ".prev"; }

/// Whether there is a file to keep. \throws if it is something that a checkpoint must not replace: a folder, a device.
bool replaces_a_file(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    fail_to_write(file);
  }
  if (S_ISDIR(status.st_mode)) fail_to_write(file, EISDIR);
  if (!S_ISREG(status.st_mode)) throw std::runtime_error(file + " cannot be written (it is not a regular file)");
  return true;
}

/// A second name for FILE, fresh -> FILE, second name -> FILE.prev. Killed between any two of these steps, FILE is
/// there and complete: the old one up to the second step, the new one from then on. Even a damaged FILE takes the place
/// of a good FILE.prev only when there is a new FILE. File systems without hard links get FILE -> FILE.prev, fresh ->
/// FILE: between the two there is only FILE.prev, complete.
void replace(const std::string& file, const std::string& fresh) {
  std::optional<TemporaryName> old;
  const int error = create_beside(file, old, [&file](const char* name) { return ::link(file.c_str(), name); });
  if (error != 0) rename_to(file, previous(file));
  rename_to(fresh, file);
  // Does nothing if both are names of one file already, which a power cut that undid only the second step leaves
  // behind: the old name goes away with its owner.
  if (old) rename_to(old->name(), previous(file));
}

/// Up to count bytes, fewer at the end of the file.
std::string read_bytes(const Descriptor& descriptor, std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t filled = 0;
  while (filled < count) {
    const ssize_t got =
        uninterrupted([&] { return ::read(descriptor.number(), bytes.data() + filled, count - filled); });
    if (got < 0) fail_to_read();
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

/// The file's bytes, or only the first if they show that it is no checkpoint: a foreign file may be of any size.
std::string read_candidate(const std::string& file) {
  // Without O_NONBLOCK opening a pipe would wait for somebody to write to it.
  const Descriptor descriptor(
      uninterrupted([&file] { return ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  if (!descriptor.valid()) fail_to_read();
  struct stat status {};
  if (::fstat(descriptor.number(), &status) != 0) fail_to_read();
  if (S_ISDIR(status.st_mode)) fail_to_read(EISDIR);
  if (!S_ISREG(status.st_mode)) throw std::invalid_argument("it is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  std::string start = read_bytes(descriptor, std::min(size, magic.size()));
  if (!starts_like_a_checkpoint(start)) return start;
  return start += read_bytes(descriptor, size - std::min(size, magic.size()));
}

bool is_intact(const std::string& file) {
  try {
    unseal(read_candidate(file));
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

// What a kill or a power cut leaves behind, step by step:
// - while the temporary file is written and synced: FILE and FILE.prev as before, and perhaps a stale temporary file,
//   which nobody reads and whose name nobody needs;
// - within replace: see there. The bytes that become FILE are on the disk before its name changes, and those of the old
//   FILE have been since it was saved, so whichever of the renames a power cut undoes, each name has a complete file;
// - after the folder is synced: the new FILE for good.
void save_checkpoint(const std::filesystem::path& file, std::string_view payload) {
  const std::string& name = file.native();
  const bool replaces = replaces_a_file(name);
  std::optional<TemporaryName> fresh;
  write_beside(name, fresh, seal(payload));
  if (replaces) {
    replace(name, fresh->name());
  } else {
    rename_to(fresh->name(), name);
  }
  sync_folder_of(file);
}

std::string load_checkpoint(const std::filesystem::path& file) {
  const std::string& name = file.native();
  try {
    return unseal(read_candidate(name));
  } catch (const std::invalid_argument& defect) {
    std::string message = name + ": " + defect.what();
    if (is_intact(previous(name))) message += "; the previous checkpoint " + previous(name) + " is intact";
    throw std::invalid_argument(message);
  }
}

}  // namespace surefoot
