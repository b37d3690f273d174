#!/usr/bin/env bash
# build/wine-test.sh FLAGS… PACKAGE is `go test` under the Wine that build/wine.sh has
# prepared. What failed is for wine.mjs to say, and not for go test.
set -eu
GOOS=windows go test -json -exec wine -timeout 4m "$@" </dev/null | node build/wine.mjs
