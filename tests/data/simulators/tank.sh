#!/bin/sh
# Sources its settings and leaves the cost in a file.
. ./settings.sh
awk -v rate="$rate" -v layers="$layers" 'BEGIN {
  r = log(rate / 0.01) / log(10); printf "%.17g\n", r * r + 0.1 * (layers - 4) ^ 2 > "result.txt"}'
echo "see result.txt"
