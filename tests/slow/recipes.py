"""Follows the recipes of CONTRIBUTING.md on a copy of the sources: a method, a learning-rate policy, an option, a stop
criterion, a problem and a stage of the search. Builds the program once and tries what they have added.
Usage: recipes.py SOURCES"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

METHOD_HEADER = """#pragma once

#include "core/constants_text.hpp"
#include "core/methods/sampler.hpp"
#include "core/ranking/rank_weights.hpp"

namespace surefoot {

/// Constants of the recipe's method.
struct RecipeConstants {
  double shrinking = 0.97;  // of the step size, each generation
};
Slots slots_of(RecipeConstants& constants);

/// Follows the weighted mean of the better samples while its step size shrinks.
class RecipeMethod final : public Sampler<DiagonalShape> {
 public:
  RecipeMethod(const StrategyContext& context, const RecipeConstants& constants);
  void report(Measures& measures) const override { measures.add("eta_m", 1); }

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void visit_rest(StateVisitor& /*visitor*/) override {}

  RankWeights weights_;
  double shrinking_;
  Vector w_, delta_, G_;
};

}  // namespace surefoot
"""
METHOD_SOURCE = """#include "core/methods/recipe_method.hpp"

namespace surefoot {

Slots slots_of(RecipeConstants& c) { return {{"shrinking", {&c.shrinking}}}; }

RecipeMethod::RecipeMethod(const StrategyContext& context, const RecipeConstants& constants)
    : Sampler(context.start, *context.popsize, Mirroring::none, context.executor),
      weights_(rank_weights(popsize())),
      shrinking_(constants.shrinking),
      w_(popsize()),
      delta_(normal_.dimension()),
      G_(normal_.dimension()) {}

void RecipeMethod::learn(const Ranking& ranking, const Vector& /*values*/) {
  ranking.assign(weights_.w, w_);
  population_.sums(w_, normal_, blocks_, delta_, G_);
  normal_.mean += normal_.sigma * normal_.shape.s.cwiseProduct(delta_);
  normal_.sigma *= shrinking_;
}

}  // namespace surefoot
"""
RATES_HEADER = """#pragma once

#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// Constants of the recipe's policy.
struct RecipeRates {
  double part = 0.5;  // of the default rates
  operator LearningRate() const;
};

}  // namespace surefoot
"""
POLICY_HEADER = """#pragma once

#include "surefoot/learning_rate.hpp"
#include "surefoot/recipe_rates.hpp"

namespace surefoot {

/// A part of the default rates.
class RecipePolicy final : public LearningRatePolicy {
 public:
  RecipePolicy(const RecipeRates& constants, const LearningRateContext& context);
  [[nodiscard]] LearningRates first() const override { return rates_; }
  LearningRates next(const AppliedStep& /*step*/) override { return rates_; }
  void visit(StateVisitor& /*visitor*/) override {}

 private:
  LearningRates rates_;
};

}  // namespace surefoot
"""
POLICY_SOURCE = """#include "core/methods/xnes/rates/recipe_policy.hpp"

#include "core/invalid_option.hpp"

namespace surefoot {

RecipePolicy::RecipePolicy(const RecipeRates& constants, const LearningRateContext& context)
    : rates_(default_learning_rates(context)) {
  const double part = require_positive("learning_rate recipe: part", constants.part);
  rates_.sigma *= part;
  rates_.B *= part;
}

}  // namespace surefoot
"""
STAGE_HEADER = """#pragma once

#include "driver/setup.hpp"
#include "search/stage.hpp"

namespace surefoot {

/// Evaluates the start once more after a hundred evaluations.
class RecipeStage final : public Stage {
 public:
  explicit RecipeStage(const Setup& setup) : setup_(setup) {}

  [[nodiscard]] std::string_view name() const override { return "recipe"; }
  [[nodiscard]] Counting counting() const override { return {}; }
  [[nodiscard]] bool is_due(const Tally& tally) const override { return is_over_ == 0 && tally.nfev >= 100; }
  [[nodiscard]] Index size() const override { return 1; }
  const Matrix& ask(Index /*count*/, const Tally& /*tally*/, Matrix& room) override {
    room = setup_.domain->user_start();
    return room;
  }
  [[nodiscard]] Consequence learn(const GenerationValues& /*evaluated*/, const Tally& /*tally*/) override {
    is_over_ = 1;
    return {};
  }
  void visit(StateVisitor& visitor) override { visitor.integer("recipe is over", is_over_); }

 private:
  const Setup& setup_;
  std::int64_t is_over_ = 0;
};

}  // namespace surefoot
"""
NEW_FILES = {
    "src/core/methods/recipe_method.hpp": METHOD_HEADER,
    "src/core/methods/recipe_method.cpp": METHOD_SOURCE,
    "include/surefoot/recipe_rates.hpp": RATES_HEADER,
    "src/core/methods/xnes/rates/recipe_policy.hpp": POLICY_HEADER,
    "src/core/methods/xnes/rates/recipe_policy.cpp": POLICY_SOURCE,
    "src/search/stages/recipe_stage.hpp": STAGE_HEADER,
}
# File, a place in it, and what is put in front of that place.
INSERTIONS = [
    ("CMakeLists.txt", "  src/core/methods/snes.cpp", "  src/core/methods/recipe_method.cpp\n"),
    (
        "CMakeLists.txt",
        "  src/core/methods/xnes/rates/s3_lra_rates.cpp",
        "  src/core/methods/xnes/rates/recipe_policy.cpp\n",
    ),
    (
        "src/core/methods/method_table.cpp",
        '#include "core/methods/snes.hpp"',
        '#include "core/methods/recipe_method.hpp"\n',
    ),
    (
        "src/core/methods/method_table.cpp",
        "      with_constants<Snes, SnesConstants>",
        '      with_constants<RecipeMethod, RecipeConstants>({.name = "recipe", .summary = "a recipe", .citation = "None"}),\n',
    ),
    (
        "src/core/methods/xnes/rates/learning_rate.cpp",
        '#include "core/methods/xnes/rates/s3_lra_rates.hpp"',
        '#include "core/methods/xnes/rates/recipe_policy.hpp"\n',
    ),
    (
        "src/core/methods/xnes/rates/learning_rate.cpp",
        "Slots slots_of(GeodesicRates& r)",
        'Slots slots_of(RecipeRates& r) { return {{"part", {&r.part}}}; }\n\n',
    ),
    (
        "src/core/methods/xnes/rates/learning_rate.cpp",
        '      entry<FixedRatesPolicy, FixedRates>("auto"',
        '      entry<RecipePolicy, RecipeRates>("recipe", "a part of the default rates", "None"),\n',
    ),
    (
        "include/surefoot/stop.hpp",
        "};\n\n/// What a callback returns.",
        "  recipe_end,  // the recipe's number of generations\n",
    ),
    (
        "src/search/stop/stop_table.cpp",
        "  };\n  return table;",
        '      {recipe_end, "recipe_end", StopKind::budget, StopResume::tolerance, "recipe_generations", "a recipe", ""},\n',
    ),
    (
        "src/search/stop/run_criteria.cpp",
        "  return values_.tolstagnation(generation);",
        "  if (options_.recipe_generations > 0 && generation >= options_.recipe_generations) {\n"
        '    return {StopReason::recipe_end, "recipe: " + text(generation) + " generations"};\n  }\n',
    ),
    ("include/surefoot/options.hpp", "  Restarts restarts", "  int recipe_generations = 0;\n"),
    (
        "src/driver/option_fields.hpp",
        '  visit("restart_point"',
        '  visit("recipe_generations", o.recipe_generations);\n',
    ),
    (
        "src/driver/option_table.cpp",
        '      changeable(without_effect(row(group, "timeout"',
        '      changeable(row(group, "recipe_generations", in_cpp | in_cli, "integer", "0", "Stop after so many")),\n',
    ),
    (
        "src/problems/problems.cpp",
        "      row<bohachevsky>(",
        '      row<for_each<recipe>>("recipe", "Recipe", "sum x_i^4", "None", {1, 3, 2, 0}),\n',
    ),
    (
        "src/problems/problems.cpp",
        "double k_tablet(",
        "double recipe(const double* x, Index d) {\n  double sum = 0;\n  for (Index i = 0; i < d; ++i) sum += square(square(x[i]));\n"
        "  return sum;\n}\n\n",
    ),
    ("src/search/stages/stages.cpp", "\nnamespace surefoot {", '#include "search/stages/recipe_stage.hpp"\n'),
    ("src/search/stages/stages.cpp", "  return stages;", "  stages.push_back(std::make_unique<RecipeStage>(setup));\n"),
]
OPERATOR = '\nRecipeRates::operator LearningRate() const { return text_of("recipe", *this); }\n'


def insert(root, file, place, text):
    path = root / file
    content = path.read_text(encoding="utf-8")
    if place not in content:
        raise SystemExit(f"recipes: {file} no longer has '{place}'; mend CONTRIBUTING.md and this test")
    at = content.rindex(place) if file.endswith("stages.cpp") else content.index(place)
    path.write_text(content[:at] + text + content[at:], encoding="utf-8")


def copy(sources, root):
    ignored = shutil.ignore_patterns("build", ".git", "__pycache__")
    shutil.copytree(sources, root, ignore=ignored, symlinks=True)


def follow(root):
    for name, text in NEW_FILES.items():
        (root / name).write_text(text, encoding="utf-8")
    for file, place, text in INSERTIONS:
        insert(root, file, place, text)
    path = root / "src/core/methods/xnes/rates/learning_rate.cpp"
    content = path.read_text(encoding="utf-8")
    at = content.rindex("}  // namespace surefoot")
    path.write_text(content[:at] + OPERATOR.lstrip() + "\n" + content[at:], encoding="utf-8")


def build(root):
    options = [
        "-DCMAKE_BUILD_TYPE=None",
        "-DCMAKE_CXX_FLAGS=-O0",
        "-DCMAKE_UNITY_BUILD=ON",
        "-DSUREFOOT_BUILD_TESTS=OFF",
    ]
    options += ["-DSUREFOOT_BUILD_EXAMPLES=OFF", "-DSUREFOOT_BUILD_PYTHON=OFF", "-DSUREFOOT_BUILD_MPI=OFF"]
    subprocess.run(["cmake", "-G", "Ninja", "-S", root, "-B", root / "build", *options], check=True)
    subprocess.run(["cmake", "--build", root / "build", "--target", "surefoot_cli"], check=True)
    return root / "build/cli/surefoot"


def minimize(program, *options):
    words = [program, "minimize", "--seed", "1", "--quiet", "--json", *options]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout)


def expect(holds, what):
    if not holds:
        raise SystemExit(f"recipes: {what}")


def try_all(program):
    sphere = ["--problem", "sphere", "--dim", "3"]
    r = minimize(program, *sphere, "--method", "recipe", "--maxfevals", "2000")
    expect(r["fun"] < 1e-3, f"the method of the recipe has come to {r['fun']}")
    r = minimize(program, *sphere, "--method", "xnes", "--learning-rate", "recipe:part=0.7", "--maxfevals", "3000")
    expect(r["fun"] < 1e-6, f"the policy of the recipe has come to {r['fun']}")
    r = minimize(program, "--problem", "recipe", "--dim", "2", "--recipe-generations", "7", "--model", "none")
    expect(r["stop"] == "recipe_end" and r["nit"] == 7, f"the criterion of the recipe: {r['stop']} after {r['nit']}")
    plain = minimize(program, *sphere, "--method", "cma", "--maxiter", "30", "--restarts", "none")
    expect(
        plain["nfev"] == 30 * 7 - 7 + 1 + 1, f"the stage of the recipe has no evaluation of its own: {plain['nfev']}"
    )
    listed = subprocess.run([program, "list", "stops"], stdout=subprocess.PIPE, text=True, check=True).stdout
    expect(re.search(r"recipe_end +[0-9]+", listed), "surefoot list stops does not know the recipe's")


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "copy"
        copy(Path(sys.argv[1]), root)
        follow(root)
        try_all(build(root))
    print("recipes: followed, built and tried")


if __name__ == "__main__":
    main()
