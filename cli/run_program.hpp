#pragma once

namespace surefoot::cli {

/// The program, with what main() gets. Says in one line what is wrong with its words.
/// \return what the shell sees.
int run_program(int argc, char** argv) noexcept;

}  // namespace surefoot::cli
