#!/usr/bin/env bash
# build/wine-test.sh FLAGS… PACKAGE runs `go test` in the Wine environment prepared by
# build/wine.sh. wine.mjs decides which tests failed, not `go test`.
set -eu
GOOS=windows go test -json -exec wine -timeout 4m "$@" </dev/null | node build/wine.mjs
