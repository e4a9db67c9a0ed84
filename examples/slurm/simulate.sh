#!/bin/sh
# Stands for your simulator: coordinates on standard input, the value as the last line.
sleep "${SECONDS_PER_EVALUATION:-0.2}"
awk '{printf "%.17g\n", ($1 - 1)^2 + 100 * ($2 - $1^2)^2}'
