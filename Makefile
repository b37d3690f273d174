# The commands of this repository; continuous integration calls the same names.
# `make` alone says what there is.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

# The release that is worked on stands in the file VERSION, and nowhere else but
# in wails.json, whose CLI reads no other file (TestVersion_SameInAllFiles).
# What is built from its tag is the release; all else adds the commit.
RELEASE := $(shell cat VERSION)
VERSION ?= $(RELEASE)$(shell git describe --tags --exact-match --match 'v$(RELEASE)' --dirty=+ 2>/dev/null | grep -qx 'v$(RELEASE)' || echo "+$$(git rev-parse --short HEAD 2>/dev/null || echo dev)")
SYSTEM := $(shell uname -s)

# The version is stamped by -ldflags. Go's own stamp asks git, which refuses in
# a clone that belongs to somebody else.
export GOFLAGS := $(GOFLAGS) -buildvcs=false
# Without the tag, and on the older library, WebKitGTK hands the app no request
# bodies, headers or status codes.
WEBKIT := webkit2_41
# That of an OAuth app at GitHub, for the sign-in by code; without one the app
# offers the other ways.
GITHUB_CLIENT_ID ?=
# Where newer versions are announced, and the public key of who announces them;
# without both, the app does not look for any.
UPDATE_FEED ?=
UPDATE_KEY ?=
# The repository that those have to be built from, by its https address; "" asks for none.
UPDATE_SOURCE ?=
STAMP := -X main.stamped=$(VERSION) -X main.githubClientID=$(GITHUB_CLIENT_ID) -X main.updateFeed=$(UPDATE_FEED) -X main.updateKey=$(UPDATE_KEY) -X main.updateSource=$(UPDATE_SOURCE)
LDFLAGS := -s -w $(STAMP)
TOOL := go tool -modfile=build/tools/go.mod
FRONTEND := $(shell find frontend/src frontend/public -type f 2>/dev/null) frontend/index.html frontend/quick.html frontend/package-lock.json frontend/tsconfig.json frontend/vite.config.ts
# The licences of all that is shipped, which the program shows.
LICENCES := build/licences/made/licences.json.gz
# What the tests take for the Copilot CLI: the one that package-lock.json pins.
COPILOT = $(shell build/copilot-path.sh)

.PHONY: help
help: ## show this help
	@echo "VoxPilot $(VERSION)"
	@grep -E '^[a-z0-9-]+:.*## ' Makefile | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | while IFS=$$'\t' read -r name words; do printf '  make %-14s %s\n' "$$name" "$$words"; done

.PHONY: version
version: ## print the version that would be built
	@echo '$(VERSION)'

## — Using it

.PHONY: run
run: display deps build ## install dependencies, build and run the app (ARGS='…')
	@if [ -z "$${VOXPILOT_COPILOT_CLI_PATH:-}" ] && ! command -v copilot >/dev/null; then export VOXPILOT_COPILOT_CLI_PATH="$(COPILOT)"; fi; \
	exec $(PROGRAM) $(ARGS)

.PHONY: display
display:
ifeq ($(SYSTEM),Linux)
	@if [ -z "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then \
		echo "VoxPilot opens a window, and there is no desktop to open it on: neither DISPLAY nor WAYLAND_DISPLAY is set. Run this in a terminal of your desktop." >&2; exit 1; fi
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
build: frontend/dist/index.html $(LICENCES) ## build the release version of the app
	go build -tags desktop,production,$(WEBKIT) -trimpath -ldflags '$(LDFLAGS)' -o bin/voxpilot .
else
# The Wails CLI adds the icon, the manifest and the frameworks of the system.
ifeq ($(SYSTEM),Darwin)
PROGRAM := build/bin/VoxPilot.app/Contents/MacOS/VoxPilot
else
PROGRAM := build/bin/voxpilot.exe
endif
.PHONY: build
build: frontend/dist/index.html $(LICENCES)
	$(TOOL) wails build -s -skipbindings -m -nosyncgomod -trimpath -ldflags '$(LDFLAGS)'
endif

.PHONY: build-dev
build-dev: frontend/dist/index.html $(LICENCES) ## build bin/voxpilot-dev, which also serves the UI to a browser
	go build -tags dev,$(WEBKIT) -ldflags '$(STAMP)' -o bin/voxpilot-dev .

frontend/dist/index.html: $(FRONTEND) | deps
	cd frontend && npm run --silent build
	@touch $@

$(LICENCES): go.mod frontend/package-lock.json $(wildcard build/licences/*.go) | deps
	go run ./build/licences $@

## — Working on it

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
docs: ## draw the packages and the way of the data into docs/how-it-works.md again
	go test ./build/docs -count=1 -run TestPage -update

.PHONY: fmt
fmt: ## format everything
	$(TOOL) golangci-lint fmt
	cd frontend && npx biome check --write .

.PHONY: clean
clean: ## remove build output (keeps the Go and npm caches)
	rm -rf bin dist build/bin build/agents/node_modules frontend/node_modules frontend/e2e/.out
	find frontend/dist build/licences/made -mindepth 1 ! -name .gitkeep -delete

## — Checking it

.PHONY: test
test: deps-test ## run linters, type checks, and Go and frontend tests (RACE=1: with the race detector)
	@build/side-by-side.sh lint '$(MAKE) --no-print-directory lint unit-page' unit '$(MAKE) --no-print-directory $(if $(RACE),race,unit-go)'

.PHONY: lint
lint: deps drift ## linters and type checks, for Linux, Windows and macOS
	$(TOOL) golangci-lint run
	CGO_ENABLED=0 GOOS=windows go vet ./...
	CGO_ENABLED=0 GOOS=darwin go vet ./...
	cd frontend && npm run --silent lint

# What is generated is what the sources say.
.PHONY: drift
drift:
	@new=$$(mktemp -d); trap 'rm -rf "$$new"' EXIT; \
	go run ./build/tsgen backend "$$new/types.ts"; \
	go run ./build/tsgen -calls . "$$new/calls.ts"; \
	diff -u frontend/src/state/types.ts "$$new/types.ts" && diff -u frontend/src/calls.ts "$$new/calls.ts" || \
		{ echo "The generated files are not what the Go code says: run make gen." >&2; exit 1; }
	@go test ./build/docs -count=1 -run TestPage

# The real agents are a must here, not a reason to skip (internal/need).
TEST = VOXPILOT_REQUIRE_AGENTS=1 VOXPILOT_TEST_COPILOT='$(COPILOT)'
# The tests run on a desktop of their own: they use a real keyring, and never the
# caller's. They wait more than they compute, so more of them run than there are cores.
GOTEST = $(TEST) build/withx.sh node build/gotest.mjs -p 3 -parallel 4

.PHONY: unit
unit: unit-go unit-page ## run Go tests (with the real Copilot CLI) and frontend tests

# Those that break things on purpose are for make race and make chaos.
.PHONY: unit-go
unit-go: deps-test
	@$(GOTEST) -timeout 20m -skip '^TestChaos' -- ./...

.PHONY: unit-page
unit-page: deps
	@build/vitest.sh

.PHONY: race
race: deps-test ## all tests of Go under the race detector, those that break things as well
	@$(GOTEST) -race -timeout 60m -- ./...

# VOXPILOT_CHAOS_SEED does a run again: every failure tells its seed.
.PHONY: chaos
chaos: deps-test ## run the chaos tests and print the results
	@$(TEST) build/chaos.sh

# VOXPILOT_HOSTILE_SEED does a run again: it is printed first. A part of each of its
# tests, by a seed as well, is in make unit and make race.
.PHONY: hostile
hostile: deps-test ## all that folders and agents of other people may try, on the real Copilot CLI, bash, dash and zsh
	@$(TEST) build/chaos.sh hostile

.PHONY: fuzz
fuzz: deps-test ## have fuzzing look for lines that break an agent's answer, or that shells read in another way (FUZZ_TIME=10s)
	@$(TEST) build/again.sh fuzz build/chaos.sh fuzz

.PHONY: long
long: ## the full counts of every proof that make test and .ci/run do in part: it takes hours
	@FUZZ_TIME=$${FUZZ_TIME:-10m} $(MAKE) --no-print-directory --keep-going chaos hostile

# Wine stands in for Windows as far as it goes: build/wine.sh says what it cannot do.
.PHONY: deps-wine
deps-wine:
	@build/deps.sh wine

.PHONY: wine
wine: deps-test deps-wine frontend/dist/index.html $(LICENCES) ## run the Windows-specific tests under Wine
	@build/withx.sh build/wine.sh

.PHONY: e2e
e2e: deps-test build build-dev ## the real app from end to end, in Chromium and in its window (E2E='a.test.mjs b.test.mjs' runs some)
	@$(TEST) build/e2e.sh $(E2E)

.PHONY: pictures
pictures: deps-test frontend/dist/index.html ## renew the pictures that screens are compared with, in frontend/e2e/baselines
	@cd frontend && VOXPILOT_PAGE=$$PWD/dist UPDATE=1 node --test --test-reporter=dot e2e/pictures.test.mjs
	@git status --short frontend/e2e/baselines

.PHONY: bench
bench: ## run benchmarks; prints one JSON object per line (NAME=x runs one)
	@$(MAKE) --no-print-directory deps-test build build-dev >&2
	@VOXPILOT_TEST_COPILOT='$(COPILOT)' build/withx.sh go run ./bench $(NAME)

## — Packaging it

.PHONY: deps-package
deps-package:
	@build/deps.sh package

.PHONY: package
package: deps-package build ## build packages in dist/: .deb, .rpm, .tar.gz, and the installer and .zip for Windows
	@RELEASE='$(RELEASE)' VERSION='$(VERSION)' STAMP='$(STAMP)' build/package/package.sh

.PHONY: package-check
package-check: deps-package ## install, start and remove the packages in dist/, and report the results
	@build/again.sh package-check build/package/check.sh
