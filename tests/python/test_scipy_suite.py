"""scipy's own tests of minimisers, with Surefoot in the place of scipy's methods: docs/evidence/python.md lists those
that cannot pass.

The names are those of scipy 1.10, which Debian 12 has.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest
import scipy
import surefoot

FOLDER = pathlib.Path(scipy.__file__).parent / "optimize" / "tests"
PASSING = {
    "test_optimize.py": [
        "TestOptimizeSimple::test_minimize_tol_parameter",
        "TestOptimizeSimple::test_minimize_callback_copies_array[nelder-mead]",
        "TestOptimizeSimple::test_no_increase[nelder-mead]",
        "TestOptimizeSimple::test_respect_maxiter[Nelder-Mead]",
        "TestOptimizeSimple::test_minimize_coerce_args_param",
        "TestOptimizeSimple::test_nan_values[nelder-mead]",
        "TestOptimizeSimple::test_duplicate_evaluations[nelder-mead]",
        "test_minimize_with_scalar[Nelder-Mead]",
        "TestLBFGSBBounds::test_minimize_l_bfgs_b_bounds",
        "TestLBFGSBBounds::test_minimize_l_bfgs_b_incorrect_bounds[bounds0]",
        "TestLBFGSBBounds::test_minimize_l_bfgs_b_incorrect_bounds[bounds1]",
        "TestLBFGSBBounds::test_minimize_l_bfgs_b_incorrect_bounds[bounds2]",
        "TestLBFGSBBounds::test_minimize_l_bfgs_b_bounds_FD",
        "TestOptimizeResultAttributes::test_attributes_present",
        "test_result_x_shape_when_len_x_is_one",
        "test_bounds_with_list",
        "test_x_overwritten_user_function",
        "TestGlobalOptimization::test_optimize_result_attributes",
        "test_gh12594",
    ],
    "test__differential_evolution.py": [
        "TestDifferentialEvolutionSolver::test_args_tuple_is_passed",
        "TestDifferentialEvolutionSolver::test_bounds_checking",
        "TestDifferentialEvolutionSolver::test_quadratic_from_diff_ev",
        "TestDifferentialEvolutionSolver::test_seed_gives_repeatability",
        "TestDifferentialEvolutionSolver::test_random_generator",
        "TestDifferentialEvolutionSolver::test_gh_4511_regression",
        "TestDifferentialEvolutionSolver::test_x0",
        "TestDifferentialEvolutionSolver::test_infinite_objective_function",
    ],
}


@pytest.mark.skipif(not scipy.__version__.startswith("1.10."), reason="the tests' names are those of scipy 1.10")
@pytest.mark.skipif(not FOLDER.is_dir(), reason="scipy was installed without its tests")
def test_scipys_own_tests(tmp_path):
    ids = [f"{FOLDER / file}::{name}" for file, names in PASSING.items() for name in names]
    report = tmp_path / "report.json"
    paths = [str(pathlib.Path(__file__).parent), str(pathlib.Path(surefoot.__file__).parent.parent)]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "scipy_adapter", "-p", "no:cacheprovider", *ids],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "SCIPY_ADAPTER_REPORT": str(report)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout[-5000:]
    outcomes = json.loads(report.read_text(encoding="utf-8"))  # of the tests that have really called Surefoot
    assert len(outcomes) == len(ids) and {outcome for outcome, _ in outcomes.values()} == {"passed"}, outcomes
