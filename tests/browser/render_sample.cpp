// Renders a report page from a JSON file, so that the pages can be checked in a browser without running anything.
#include <fstream>
#include <iostream>
#include <string>

#include "report/report.hpp"

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    std::cerr << "usage: render_sample reproduction|run INPUT.json OUTPUT.html [TITLE]\n";
    return 2;
  }
  const std::string kind = argv[1];
  if (kind != "reproduction" && kind != "run") {
    std::cerr << "unknown kind of report: " << kind << '\n';
    return 2;
  }
  try {
    std::ifstream input(argv[2]);
    const auto data = nlohmann::ordered_json::parse(input);
    const bool is_run = kind == "run";
    const std::string title = argc == 5 ? argv[4] : is_run ? "Surefoot run" : "Reproduction of Nomura and Ono 2022";
    std::ofstream output(argv[3], std::ios::binary);
    output << surefoot::report_page(is_run ? surefoot::ReportKind::run : surefoot::ReportKind::reproduction, title,
                                    data);
    output.close();
    if (output) return 0;
    std::cerr << "cannot write " << argv[3] << '\n';
  } catch (const std::exception& error) {
    std::cerr << argv[2] << ": " << error.what() << '\n';
  }
  return 1;
}
