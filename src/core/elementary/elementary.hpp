#pragma once

/// \file
/// Elementary functions with the same bits on every machine. C libraries round them differently; these are made of
/// the basic operations and roots that IEEE 754 defines exactly. Special cases are those of the C standard.
///
/// Errors in units of the last place: exp 0.6, log 1, pow 0.6, log10 0.6, expm1 and log1p 2, tanh 3, sin and cos 1.5,
/// erfc 6 (docs/explanation/reproducibility.md).

#include "surefoot/types.hpp"

namespace surefoot::elementary {

[[nodiscard]] double exp(double x);
[[nodiscard]] double expm1(double x);
[[nodiscard]] double log(double x);
[[nodiscard]] double log1p(double x);
[[nodiscard]] double log10(double x);
[[nodiscard]] double pow(double x, double y);
[[nodiscard]] double tanh(double x);
[[nodiscard]] double erfc(double x);

/// For |x| >= 2^51, where a period has but a few doubles, some number in [-1, 1].
[[nodiscard]] double sin(double x);
[[nodiscard]] double cos(double x);

/// exp of every number, in place, several at once.
void exp_all(double* numbers, Index count);

/// The mean of the logarithms. Their order of summation is fixed.
[[nodiscard]] double mean_log(const double* numbers, Index count);
[[nodiscard]] inline double mean_log(const Vector& numbers) { return mean_log(numbers.data(), numbers.size()); }

}  // namespace surefoot::elementary
