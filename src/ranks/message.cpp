#include "ranks/message.hpp"

#include "ranks/byte_stream.hpp"

namespace surefoot {

std::string to_bytes(const Task& task) {
  ByteWriter writer;
  writer.integer(task.batch);
  writer.integer(task.number);
  writer.rest(task.bytes);
  return writer.take();
}

std::string to_bytes(const Answer& answer) {
  ByteWriter writer;
  writer.integer(answer.batch);
  writer.integer(answer.number);
  writer.integer(static_cast<std::int64_t>(answer.kind));
  writer.real(answer.seconds);
  writer.rest(answer.bytes);
  return writer.take();
}

Task task_of(const std::string& bytes) {
  ByteReader reader(bytes);
  Task task;
  task.batch = reader.integer();
  task.number = reader.integer();
  task.bytes = reader.rest();
  return task;
}

Answer answer_of(const std::string& bytes) {
  ByteReader reader(bytes);
  Answer answer;
  answer.batch = reader.integer();
  answer.number = reader.integer();
  answer.kind = static_cast<Answer::Kind>(reader.integer());
  answer.seconds = reader.real();
  answer.bytes = reader.rest();
  return answer;
}

}  // namespace surefoot
