#include "cli/run_program.hpp"

int main(int argc, char** argv) { return surefoot::cli::run_program(argc, argv); }
