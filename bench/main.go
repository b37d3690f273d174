// Command bench measures the performance of VoxPilot. Each measurement is compared with a minimal
// baseline on the same machine in the same minute.
//
//	go run ./bench [-cpuprofile FILE] [NAME…]
//
// The command prints one JSON object per line to stdout, and its progress to stderr. "value" and "baseline" are medians
// of alternating runs, "ratio" is their quotient, "limit" is the target for the ratio, "ok" reports whether it was met,
// and "also" holds related measurements in the same unit, without a limit. A missed limit is a normal result: the exit
// code is non-zero only if a measurement failed.
//
// `make bench` builds everything that the benchmarks need and runs them on a separate desktop.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime/pprof"
	"slices"
	"syscall"
	"time"

	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/bench/changes"
	"github.com/voxpilot/voxpilot/internal/process"
)

// benches lists all benchmarks in the order in which they run.
var benches = []bench{
	{
		name: "agent.ingest", unit: "updates/s", limit: 0.5, atLeast: true, rounds: 7,
		what:  "updates per second from the agent's stdout to a committed row and an emitted batch, against a loop that decodes each line once",
		begin: beginIngest,
	},
	{
		name: "agent.ingest.node", unit: "updates/s", limit: 3, atLeast: true, rounds: 5,
		what:  "the same, against a Node client that does the same work with the official SDK and libsql",
		begin: beginNode,
	},
	{
		name: "restore.10", unit: "ms", limit: 1.5, rounds: 7,
		what:  "time until ten sessions are ready on an agent that takes 300 ms to load one, against one session",
		begin: beginRestore, also: restoreReal,
	},
	{
		name: "replay.growth", unit: "ms", limit: 2.2, rounds: 11,
		what:  "time to load a session that replays 200,000 updates, against one that replays 100,000",
		begin: beginGrowth,
	},
	{
		name: "prompt.overhead", unit: "ms", limit: 1.10, rounds: 15,
		what:  "wall time of a prompt answered in 500 chunks through the whole app, against a driver that only implements the protocol",
		begin: beginOverhead,
	},
	{
		name: "llm.overhead", unit: "ms", limit: 1.05, rounds: 15,
		what:  "wall time of a message answered by a main AI in 1,000 chunks through the whole app, against a client that only reads the stream",
		begin: beginModel,
	},
	{
		name: "delegate.parallel", unit: "ms", limit: 1.2, rounds: 11,
		what:  "time until two sessions have finished tasks of 500 chunks each that were delegated at the same time, against one",
		begin: beginDelegate, also: delegateReal,
	},
	{
		name: "guard.call", unit: "ms", limit: 1.5, rounds: 5,
		what:  "time per tool call of the real Copilot CLI with the guard, against a plugin whose hooks do nothing",
		begin: beginGuard,
	},
	{
		name: "sandbox.exec", unit: "ms", limit: 1.3, rounds: 5,
		what:  "time per command `true` in the sandbox, 200 in a row, against a bare bubblewrap with the same namespaces",
		begin: beginSandbox,
	},
	{
		name: "trust.inventory", unit: "ms", limit: 2, rounds: 51,
		what:  "time to list everything that a repository of 20,000 files can run, before an agent starts there, against git ls-files",
		begin: beginInventory,
	},
	{
		name: "undo.20k", unit: "ms", limit: 1.5, rounds: 21,
		what:  "time to record a repository of 20,000 files before a turn, of which 20 have changed, against git status",
		begin: beginUndo, also: firstRecordings,
	},
	{
		name: "undo.tool", unit: "ms", limit: 1.2, rounds: 6,
		what:  "time that the guard takes to record a repository of 20,000 files before a command of the real Copilot CLI that changes 20 of them, against git status: the slowest of the 100 commands in a turn",
		begin: beginUndoTool, slowest: recordedTurn.Slowest,
	},
	{
		name: "review.open", unit: "ms", limit: 2, rounds: 7,
		what:  "time to open the review of a chat that changed 2,000 files until the first file is painted, against git diff --stat of these files",
		begin: beginReviewOpen,
	},
	{
		name: "review.turn", unit: "ms", limit: 2, rounds: 5,
		what:  "time from choosing the answer's changes in that review until the first file is painted, against git diff --stat",
		begin: beginReviewSource(changes.Turn),
	},
	{
		name: "review.working", unit: "ms", limit: 2, rounds: 5,
		what:  "time from choosing the 2,000 uncommitted files in that review until the first file is painted, against git diff --stat",
		begin: beginReviewSource(changes.Uncommitted),
	},
	{
		name: "review.base", unit: "ms", limit: 2, rounds: 5,
		what:  "time from choosing the branch against its base in that review until the first file is painted, against git diff --stat of the base",
		begin: beginReviewSource(changes.Branch, "main"),
	},
	{
		name: "review.commit", unit: "ms", limit: 2, rounds: 5,
		what:  "time from choosing a commit of 2,000 files in that review until the first file is painted, against git diff --stat of its parent",
		begin: beginReviewSource(changes.Commit, "main~", "main"),
	},
	{
		name: "review.scroll", unit: "ms", limit: 2, rounds: 3,
		what:  "time between frames, the slowest of a hundred, while a file of 100,000 changed lines is scrolled, against an idle frame",
		begin: beginReviewScroll,
	},
	{
		name: "start.window", unit: "ms", limit: 1.15, rounds: 9,
		what:  "process start to first paint of the chat list with 1,000 chats and 200,000 rows, against an empty database",
		begin: beginWindow,
	},
	{
		name: "quick.open", unit: "ms", limit: 1.3, rounds: 21,
		what:  "time from the global shortcut until the quick prompt is painted and has the focus, against WindowShow of an empty Wails window that is already running hidden",
		begin: beginQuick,
	},
	{
		name: "search.1M", unit: "ms", limit: 3, rounds: 15,
		what:  "mean time until the first page of a search in one million items, against one thousand",
		begin: beginSearch,
	},
	{
		name: "sessions.index", unit: "ms", limit: 2, rounds: 11,
		what:  "time until 1,000 sessions of the Copilot CLI, 2 GB in total, are listed for the first time, against a program that reads the first 4 KB of each log",
		begin: beginSessions,
	},
	{
		name: "sessions.import", unit: "ms", limit: 2, rounds: 3,
		what:  "time to import a Copilot CLI session with a log of 200 MB into a chat, against a loop that decodes each line of the log once with encoding/json",
		begin: beginImport, also: moreMemory,
	},
	{
		name: "open.10k.time", unit: "ms", limit: 1.5, rounds: 7,
		what:  "time from clicking a chat of 10,000 blocks with 500 MB of output until its end is on the screen, against one of ten blocks",
		begin: beginOpen(inWindow, manyBlocks, openChat),
	},
	{
		name: "open.10k.time.chromium", unit: "ms", limit: 1.5, rounds: 7,
		what:  "the same in Chromium",
		begin: beginOpen(inChromium, manyBlocks, openChat),
	},
	{
		name: "open.long", unit: "ms", limit: 1.5, rounds: 7,
		what:  "time from clicking a chat with three answers of 400 paragraphs until its end is on the screen, against answers of four",
		begin: beginOpen(inWindow, longTexts, openChat),
	},
	{
		name: "open.10k.memory", unit: "MB", limit: 1.5, rounds: 3,
		what:  "memory of the app and its window with that chat open, against one of ten blocks",
		begin: beginOpen(inWindow, manyBlocks, openedMemory),
	},
	{
		name: "open.10k.memory.chromium", unit: "MB", limit: 1.5, rounds: 3,
		what:  "memory of Chromium with that chat open, against one of ten blocks",
		begin: beginOpen(inChromium, manyBlocks, openedMemory),
	},
	{
		name: "memory.start", unit: "MB", limit: 0.85, rounds: 5,
		what:  "memory of the app and its window with one chat open and no agent running, against Chromium with an empty page as an app",
		begin: beginMemory,
	},
	{
		name: "idle.cpu", unit: "ms", limit: 1.5, rounds: 3,
		what:  "processor time per minute of the idle app and its window with ten open chats, against an empty Wails window",
		begin: beginIdle,
	},
	{
		name: "stream.1GB", unit: "MB", limit: 1.5, rounds: 1,
		what:  "memory of the process that renders the window after 1 GB of tool output was streamed through its chat, against before",
		begin: beginTorrent(inWindow),
	},
	{
		name: "stream.1GB.chromium", unit: "MB", limit: 1.5, rounds: 1,
		what:  "the same in Chromium",
		begin: beginTorrent(inChromium),
	},
	{
		name: "frame.p99", unit: "ms", limit: 2, rounds: 3,
		what:  "time between frames, the slowest of a hundred, while 1,000 chunks per second are streamed, against an idle frame",
		begin: beginFrames(inWindow, "frames"),
	},
	{
		name: "frame.p99.chromium", unit: "ms", limit: 2, rounds: 3,
		what:  "the same in Chromium",
		begin: beginFrames(inChromium, "frames"),
	},
	{
		name: "frame.key", unit: "ms", limit: 3, rounds: 3,
		what:  "time until a key press is painted, the slowest of a hundred, while 1,000 chunks per second are streamed, against an idle frame",
		begin: beginFrames(inWindow, "keys"),
	},
	{
		name: "frame.key.chromium", unit: "ms", limit: 3, rounds: 3,
		what:  "the same in Chromium",
		begin: beginFrames(inChromium, "keys"),
	},
}

// result is a measured value. It is written as one line of JSON.
type result struct {
	Name     string  `json:"name"`
	Value    float64 `json:"value"`
	Unit     string  `json:"unit"`
	Baseline float64 `json:"baseline"`
	Ratio    float64 `json:"ratio"`
	Limit    float64 `json:"limit"`
	OK       bool    `json:"ok"`
	// Also holds related measurements without a limit.
	Also map[string]float64 `json:"also,omitempty"`
}

func main() {
	process.ExecIfRequested()
	environment.PrintIfRequested()
	serveScriptIfRequested()
	profile := flag.String("cpuprofile", "", "write a CPU profile of this process to `FILE`")
	flag.Usage = usage
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, flag.Args(), *profile, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: go run ./bench [-cpuprofile FILE] [NAME…]\n\nBenchmarks:")
	for _, b := range benches {
		fmt.Fprintf(os.Stderr, "  %-17s %s\n", b.name, b.what)
	}
}

// run runs the benchmarks with the given names, or all benchmarks if no names are given. If one fails, the others still
// run.
func run(ctx context.Context, names []string, profile string, out io.Writer) error {
	for _, name := range names {
		if !slices.ContainsFunc(benches, func(b bench) bool { return b.name == name }) {
			usage()
			return fmt.Errorf("unknown benchmark %q", name)
		}
	}
	if profile != "" {
		file, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	var failed error
	for _, b := range benches {
		if len(names) > 0 && !slices.Contains(names, b.name) {
			continue
		}
		r, err := b.measure(ctx)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("couldn't measure %s: %w", b.name, err))
			continue
		}
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n", line)
	}
	return failed
}

func (b bench) measure(ctx context.Context) (result, error) {
	say("%s: %s", b.name, b.what)
	started := time.Now()
	var after ends
	ours, bare, err := b.begin(ctx, &after)
	var value, baseline float64
	if err == nil {
		value, baseline, err = alternate(ctx, b.rounds, ours, bare)
	}
	if err := errors.Join(err, after.end()); err != nil {
		return result{}, err
	}
	if b.slowest != nil {
		value, baseline = b.slowest()
	}
	var also map[string]float64
	if b.also != nil {
		if also, err = b.also(ctx); err != nil {
			return result{}, err
		}
	}
	r := result{Also: also, Name: b.name, Value: value, Unit: b.unit, Baseline: baseline, Ratio: value / baseline, Limit: b.limit}
	r.OK = r.Ratio <= r.Limit
	if b.atLeast {
		r.OK = r.Ratio >= r.Limit
	}
	for _, n := range []*float64{&r.Value, &r.Baseline} {
		*n = math.Round(*n*10) / 10
	}
	for name, n := range r.Also {
		r.Also[name] = math.Round(n*10) / 10
	}
	r.Ratio = math.Round(r.Ratio*1000) / 1000
	say("%s: %d rounds in %s", b.name, b.rounds, time.Since(started).Round(time.Second))
	return r, nil
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
