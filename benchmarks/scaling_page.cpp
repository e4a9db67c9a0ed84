// Usage: surefoot_scaling_page compare.json page.html

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "report/report.hpp"
#include "surefoot/version.hpp"

int main(int count, char** arguments) {
  try {
    if (count != 3) throw std::invalid_argument("usage: surefoot_scaling_page compare.json page.html");
    std::ifstream file(arguments[1]);
    nlohmann::ordered_json data = nlohmann::ordered_json::parse(file);
    data["rows"] = data.at("scaling");
    data["version"] = surefoot::version;
    std::ofstream page(arguments[2]);
    page << surefoot::report_page(surefoot::ReportKind::scaling, "Time of a generation", data);
    if (!page.flush()) throw std::runtime_error(std::string(arguments[2]) + " cannot be written");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "surefoot_scaling_page: " << error.what() << '\n';
    return 1;
  }
}
