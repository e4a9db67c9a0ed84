#include "experiments/bbob_published.hpp"

namespace surefoot {
namespace {

std::vector<PublishedAreas> within_2000() {
  return {
      {"best of all algorithms 2009-2016", {{5, .441}, {10, .410}, {20, .380}, {40, .308}}, .454},
      {"best of all 31 algorithms of 2009", {{5, .375}, {10, .328}, {20, .291}, {40, .255}}, .387},
      {"lq-CMA-ES 2019", {{5, .366}, {10, .313}, {20, .265}, {40, .225}}, .364},
      {"SLSQP + lq-CMA-ES", {{5, .356}, {10, .321}, {20, .291}, {40, .265}}, .360},
      {"HCMA", {{5, .342}, {10, .326}, {20, .300}}, .348},
      {"lmm-CMA", {{5, .327}, {10, .272}, {20, .225}}, .327},
      {"DTS-CMA-ES", {{5, .314}, {10, .255}, {20, .202}}, .315},
      {"BIPOP-saACM-k", {{5, .305}, {10, .286}, {20, .258}, {40, .220}}, .313},
      {"pycma 2022", {{5, .282}, {10, .235}, {20, .198}, {40, .168}}, .283},
      {"IPOP-aCMA-ES 2010", {{5, .258}, {10, .221}, {20, .189}, {40, .157}}, .261},
  };
}

std::vector<PublishedAreas> within_20000() {
  return {
      {"best of all algorithms 2009-2016", {{5, .556}, {10, .521}, {20, .488}}, .563},
      {"best of all 31 algorithms of 2009", {{5, .495}, {10, .447}, {20, .409}}, .505},
      {"lq-CMA-ES 2019", {{5, .471}, {10, .415}, {20, .364}}, .470},
      {"HCMA", {{5, .467}, {10, .444}, {20, .410}}, .470},
      {"SLSQP + lq-CMA-ES", {{5, .461}, {10, .418}, {20, .383}}, .465},
      {"BIPOP-saACM-k", {{5, .427}, {10, .398}, {20, .361}}, .432},
      {"pycma 2022", {{5, .404}, {10, .349}, {20, .311}}, .405},
      {"IPOP-aCMA-ES 2010", {{5, .382}, {10, .339}, {20, .303}}, .387},
  };
}

}  // namespace

std::vector<PublishedAreas> published_areas(std::int64_t budget) {
  if (budget == 2000) return within_2000();
  if (budget == 20000) return within_20000();
  return {};
}

nlohmann::ordered_json to_json(const std::vector<PublishedAreas>& published) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const PublishedAreas& row : published) {
    nlohmann::ordered_json areas = nlohmann::ordered_json::object();
    for (const auto& [dimension, area] : row.areas) areas[std::to_string(dimension)] = area;
    json.push_back({{"algorithm", row.algorithm}, {"areas", areas}, {"mean", row.mean}});
  }
  return json;
}

}  // namespace surefoot
