# The commands of this repository; continuous integration runs the same targets.
# `make` without a target lists them.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

# The version in development is in the file VERSION and in wails.json, since the Wails
# CLI reads no other file (TestVersion_SameInAllFiles compares them).
# A build of the version's tag is the release; any other build adds the commit.
RELEASE := $(shell cat VERSION)
VERSION ?= $(RELEASE)$(shell git describe --tags --exact-match --match 'v$(RELEASE)' --dirty=+ 2>/dev/null | grep -qx 'v$(RELEASE)' || echo "+$$(git rev-parse --short HEAD 2>/dev/null || echo dev)")
SYSTEM := $(shell uname -s)

# -ldflags sets the version. Go's own version stamp runs git, which refuses to work in
# a clone that another user owns.
export GOFLAGS := $(GOFLAGS) -buildvcs=false
# Without this tag, which selects WebKitGTK 4.1, the app gets no request bodies and
# can't set response headers or status codes.
WEBKIT := webkit2_41
# The client ID of a GitHub OAuth app, for sign-in with a code. If it is empty, the app
# offers only the other sign-in methods.
GITHUB_CLIENT_ID ?=
# The URL of the update feed and the public key that it is signed with. The app checks
# for updates only if both are set.
UPDATE_FEED ?=
UPDATE_KEY ?=
# The https URL of the repository that updates must be built from, or "" for any.
UPDATE_SOURCE ?=
STAMP := -X main.stamped=$(VERSION) -X main.githubClientID=$(GITHUB_CLIENT_ID) -X main.updateFeed=$(UPDATE_FEED) -X main.updateKey=$(UPDATE_KEY) -X main.updateSource=$(UPDATE_SOURCE)
LDFLAGS := -s -w $(STAMP)
TOOL := go tool -modfile=build/tools/go.mod
FRONTEND := $(shell find frontend/src frontend/public -type f 2>/dev/null) frontend/index.html frontend/quick.html frontend/package-lock.json frontend/tsconfig.json frontend/vite.config.ts
# The licenses of all shipped components, as listed in the app.
LICENSES := build/licenses/made/licenses.json.gz
# The program that the Copilot CLI runs before each tool call and that is the first one in a
# sandbox, as part of the app for Linux.
ifeq ($(SYSTEM),Linux)
HOOK := backend/guard/program/made/hook.gz
endif
# The Copilot CLI that the tests run: the version pinned in package-lock.json.
COPILOT = $(shell build/copilot-path.sh)

.PHONY: help
help: ## list the targets
	@echo "VoxPilot $(VERSION)"
	@grep -E '^[a-z0-9-]+:.*## ' Makefile | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | while IFS=$$'\t' read -r name summary; do printf '  make %-14s %s\n' "$$name" "$$summary"; done

.PHONY: version
version: ## print the version that a build would have
	@echo '$(VERSION)'

## — Build and run

.PHONY: run
run: display deps build ## install dependencies, build and run the app (ARGS='…')
	@if [ -z "$${VOXPILOT_COPILOT_CLI_PATH:-}" ] && ! command -v copilot >/dev/null; then export VOXPILOT_COPILOT_CLI_PATH="$(COPILOT)"; fi; \
	exec $(PROGRAM) $(ARGS)

.PHONY: display
display:
ifeq ($(SYSTEM),Linux)
	@if [ -z "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then \
		echo "VoxPilot needs a desktop to open its window: neither DISPLAY nor WAYLAND_DISPLAY is set. Run this in a terminal on your desktop." >&2; exit 1; fi
endif

.PHONY: deps
deps: ## install dependencies: system libraries, frontend packages, the Copilot CLI
	@build/deps.sh run

.PHONY: deps-test
deps-test: ## install test dependencies: a virtual display, Chromium, a keyring, other agents
	@build/deps.sh test

ifeq ($(SYSTEM),Linux)
PROGRAM := bin/voxpilot
.PHONY: build
build: frontend/dist/index.html $(LICENSES) $(HOOK) ## build the release version of the app
	go build -tags desktop,production,$(WEBKIT) -trimpath -ldflags '$(LDFLAGS)' -o bin/voxpilot .
else
# The Wails CLI adds the icon, the manifest and the frameworks of the system.
ifeq ($(SYSTEM),Darwin)
PROGRAM := build/bin/VoxPilot.app/Contents/MacOS/VoxPilot
else
PROGRAM := build/bin/voxpilot.exe
endif
.PHONY: build
build: frontend/dist/index.html $(LICENSES)
	$(TOOL) wails build -s -skipbindings -m -nosyncgomod -trimpath -ldflags '$(LDFLAGS)'
endif

.PHONY: build-dev
build-dev: frontend/dist/index.html $(LICENSES) $(HOOK) ## build bin/voxpilot-dev, which also serves the UI to browsers
	go build -tags dev,$(WEBKIT) -ldflags '$(STAMP)' -o bin/voxpilot-dev .

frontend/dist/index.html: $(FRONTEND) | deps
	cd frontend && npm run --silent build
	@touch $@

$(LICENSES): go.mod frontend/package-lock.json $(wildcard build/licenses/*.go) | deps
	go run ./build/licenses $@

backend/guard/program/made/hook.gz: go.mod $(wildcard backend/guard/*.go backend/guard/hook/*.go backend/sandbox/inside/*.go backend/sandbox/first/* internal/localsocket/*.go)
	CC=musl-gcc CGO_ENABLED=1 GOOS=linux go build -buildvcs=false -trimpath -tags netgo,osusergo -ldflags '-s -w -linkmode external -extldflags -static' -o $(@:.gz=) ./backend/guard/hook
	gzip -9nf $(@:.gz=)

## — Develop

.PHONY: dev
dev: display deps ## run the app with hot reload
	go build -tags dev,$(WEBKIT) -ldflags '$(STAMP)' -o bin/voxpilot-dev .
	@if [ -z "$${VOXPILOT_COPILOT_CLI_PATH:-}" ] && ! command -v copilot >/dev/null; then export VOXPILOT_COPILOT_CLI_PATH="$(COPILOT)"; fi; \
	build/dev.sh $(ARGS)

.PHONY: gen
gen: ## regenerate the TypeScript types and calls from the Go code
	go run ./build/tsgen backend frontend/src/state/types.ts
	go run ./build/tsgen -calls . frontend/src/calls.ts

.PHONY: docs
docs: ## regenerate the package and data flow diagrams in docs/how-it-works.md
	go test ./build/docs -count=1 -run TestPage -update

.PHONY: fmt
fmt: ## format all source files
	$(TOOL) golangci-lint fmt
	cd frontend && npx biome check --write .

.PHONY: clean
clean: ## remove build output, but not the Go and npm caches
	rm -rf bin dist build/bin build/agents/node_modules frontend/node_modules frontend/e2e/.out
	find frontend/dist build/licenses/made backend/guard/program/made -mindepth 1 ! -name .gitkeep -delete

## — Check

.PHONY: test
test: deps-test ## run linters, type checks, Go tests and frontend tests (CHAOS=1: and the chaos tests)
	@build/side-by-side.sh lint '$(MAKE) --no-print-directory $(LINT) unit-page' unit '$(MAKE) --no-print-directory unit-go'

# What `make test` runs of the linters.
LINT = lint

.PHONY: lint
lint: checks ## run linters and type checks for Linux, Windows and macOS
	$(TOOL) golangci-lint run

# The linters without golangci-lint, which takes minutes to build in a fresh clone.
.PHONY: checks
checks: deps drift
	go test ./build/language
	go run ./build/typecheck windows
	go run ./build/typecheck darwin
	cd frontend && npm run --silent lint

# Fails if generated files are out of date.
.PHONY: drift
drift:
	@new=$$(mktemp -d); trap 'rm -rf "$$new"' EXIT; \
	go run ./build/tsgen backend "$$new/types.ts"; \
	go run ./build/tsgen -calls . "$$new/calls.ts"; \
	diff -u frontend/src/state/types.ts "$$new/types.ts" && diff -u frontend/src/calls.ts "$$new/calls.ts" || \
		{ echo "The generated files are out of date. Run: make gen" >&2; exit 1; }
	@go test ./build/docs -count=1 -run TestPage

# A missing agent fails the tests instead of skipping them (internal/need).
TEST = VOXPILOT_REQUIRE_AGENTS=1 VOXPILOT_TEST_COPILOT='$(COPILOT)'
# The tests run on a private desktop, because they use a real keyring, which must not
# be the caller's. They mostly wait, so more of them run in parallel than there are cores.
GOTEST = $(TEST) build/withx.sh node build/gotest.mjs -p 3 -parallel 4

.PHONY: unit
unit: unit-go unit-page ## run Go tests (with the real Copilot CLI) and frontend tests

.PHONY: unit-go
unit-go: deps-test $(HOOK)
	@$(GOTEST) -timeout 40m $(if $(CHAOS),,-skip '^TestChaos') -- ./...

.PHONY: unit-page
unit-page: deps
	@build/vitest.sh

# The packages with the most state that goroutines share.
CONCURRENT = $(addprefix ./backend/, acp agent agent/session assistant engine eventbus mcp quick store terminal tools)

# SQLite and its C library, translated to Go, are three to four times slower with the race
# detector's instrumentation. database/sql doesn't use a connection in two
# goroutines at the same time.
UNINSTRUMENTED = -gcflags='modernc.org/...=-race=false'

# The real agents are left out: the race detector can't look into them, and they take
# most of the time of these tests.
.PHONY: race
race: deps-test $(HOOK) ## run the Go tests of concurrent packages, without the real agents, under the race detector
	@env -u VOXPILOT_REQUIRE_ALL VOXPILOT_TEST_COPILOT=none VOXPILOT_TEST_QWEN=none \
		build/withx.sh node build/gotest.mjs -p 3 -parallel 4 -vet=off -race $(UNINSTRUMENTED) -timeout 30m -- $(CONCURRENT)

# VOXPILOT_CHAOS_SEED repeats a run: each failure prints its seed.
.PHONY: chaos
chaos: deps-test $(HOOK) ## run the chaos tests and print the results
	@$(TEST) build/chaos.sh

# VOXPILOT_HOSTILE_SEED repeats a run: the seed is printed first. make unit runs a
# sample of each of these tests, also chosen by a seed.
.PHONY: hostile
hostile: deps-test $(HOOK) ## try attacks by untrusted folders and agents on the real Copilot CLI, bash, dash and zsh
	@$(TEST) build/chaos.sh hostile

.PHONY: fuzz
fuzz: deps-test ## fuzz the agent connection, the parser of shell commands and the sandbox's proxy (FUZZ_TIME=10s)
	@$(TEST) build/again.sh fuzz build/chaos.sh fuzz

.PHONY: long
long: ## run all rounds of the tests that make test and .ci/run only sample (takes hours)
	@FUZZ_TIME=$${FUZZ_TIME:-10m} $(MAKE) --no-print-directory --keep-going chaos hostile

# Wine replaces Windows where it can; build/wine.sh lists the limits.
.PHONY: deps-wine
deps-wine:
	@build/deps.sh wine

.PHONY: wine
wine: deps-test deps-wine frontend/dist/index.html $(LICENSES) ## run the Windows-specific tests under Wine
	@build/withx.sh build/wine.sh

.PHONY: e2e
e2e: deps-test build build-dev ## run the end-to-end tests, in Chromium and in the app's window (E2E='a.test.mjs b.test.mjs' runs some)
	@$(TEST) build/e2e.sh $(E2E)

.PHONY: pictures
pictures: deps-test frontend/dist/index.html ## update the baseline screenshots in frontend/e2e/baselines
	@cd frontend && VOXPILOT_PAGE=$$PWD/dist UPDATE=1 node --test --test-reporter=dot e2e/pictures.test.mjs
	@git status --short frontend/e2e/baselines

.PHONY: bench
bench: ## run benchmarks and print one JSON object per line (NAME=x runs one)
	@$(MAKE) --no-print-directory deps-test build build-dev >&2
	@VOXPILOT_TEST_COPILOT='$(COPILOT)' build/withx.sh go run ./bench $(NAME)

## — Package

.PHONY: deps-package
deps-package:
	@build/deps.sh package

.PHONY: package
package: deps-package build ## build packages in dist/: .deb, .rpm, .tar.gz, and the Windows installer and .zip
	@RELEASE='$(RELEASE)' VERSION='$(VERSION)' STAMP='$(STAMP)' build/package/package.sh

.PHONY: package-check
package-check: deps-package ## install, start and remove the packages in dist/, and report the results
	@build/again.sh package-check build/package/check.sh
