#!/bin/sh
# Prints the greeting and says how many lines it has.
cd "$(dirname "$0")" || exit 1
cat greeting.txt || exit 1
echo "($(wc -l <greeting.txt | tr -d ' ') lines, printed by hello.sh)"
