// Command bench measures how fast VoxPilot is, each time against something
// that does the least there is to do, on the same machine in the same minute.
//
//	go run ./bench [-cpuprofile FILE] [NAME…]
//
// It prints one JSON object a line and nothing else to stdout; what it is doing
// goes to stderr. "value" and "baseline" are medians of runs that took turns,
// "ratio" is the first divided by the second, "limit" is what the ratio should
// keep to ("ok"), "also" what is measured beside it, in the same unit and
// without a limit. A limit that is missed is a result like any other: the exit
// code is not 0 only where something could not be measured.
//
// `make bench` builds what it needs and runs it on a desktop of its own.
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
	"github.com/voxpilot/voxpilot/internal/process"
)

// benches are all there are, in the order in which they run.
var benches = []bench{
	{
		name: "agent.ingest", unit: "updates/s", limit: 0.5, atLeast: true, rounds: 7,
		what:  "updates a second from the agent's stdout to a committed row and an emitted batch, against a loop that decodes each line once",
		begin: beginIngest,
	},
	{
		name: "agent.ingest.node", unit: "updates/s", limit: 3, atLeast: true, rounds: 5,
		what:  "the same, against a client on Node that does the same work with the official SDK and libsql",
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
		what:  "wall time of a prompt answered in 500 pieces through the whole app, against a driver that only speaks the protocol",
		begin: beginOverhead,
	},
	{
		name: "llm.overhead", unit: "ms", limit: 1.05, rounds: 15,
		what:  "wall time of a message that a main AI answers in 1,000 pieces through the whole app, against a client that only reads the stream",
		begin: beginModel,
	},
	{
		name: "delegate.parallel", unit: "ms", limit: 1.2, rounds: 11,
		what:  "time until two sessions have done work of 500 pieces each that was given to them at once, against one",
		begin: beginDelegate, also: delegateReal,
	},
	{
		name: "trust.inventory", unit: "ms", limit: 2, rounds: 51,
		what:  "time to list what a repository of 20,000 files can run, before an agent starts there, against git ls-files",
		begin: beginInventory,
	},
	{
		name: "start.window", unit: "ms", limit: 1.15, rounds: 9,
		what:  "process start to first paint of the chat list with 1,000 chats and 200,000 rows, against an empty database",
		begin: beginWindow,
	},
	{
		name: "quick.open", unit: "ms", limit: 1.3, rounds: 21,
		what:  "time from the global shortcut until the quick prompt is painted and has the focus, against WindowShow of a Wails window with nothing in it that runs already, hidden",
		begin: beginQuick,
	},
	{
		name: "search.1M", unit: "ms", limit: 3, rounds: 15,
		what:  "mean time until the first page of a search is there, in one million items, against one thousand",
		begin: beginSearch,
	},
	{
		name: "open.10k.time", unit: "ms", limit: 1.5, rounds: 7,
		what:  "time from the click on a chat of 10,000 blocks with 500 MB of output to its end on the screen, against one of ten blocks",
		begin: beginOpen(inWindow, manyBlocks, openChat),
	},
	{
		name: "open.10k.time.chromium", unit: "ms", limit: 1.5, rounds: 7,
		what:  "the same in Chromium",
		begin: beginOpen(inChromium, manyBlocks, openChat),
	},
	{
		name: "open.long", unit: "ms", limit: 1.5, rounds: 7,
		what:  "time from the click on a chat with three answers of 400 paragraphs to its end on the screen, against answers of four",
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
		what:  "memory of the app and its window with one chat open and no agent started, against Chromium with an empty page as an app",
		begin: beginMemory,
	},
	{
		name: "idle.cpu", unit: "ms", limit: 1.5, rounds: 3,
		what:  "processor time of the quiet app and its window with ten open chats in a minute, against a Wails window with nothing in it",
		begin: beginIdle,
	},
	{
		name: "stream.1GB", unit: "MB", limit: 1.5, rounds: 1,
		what:  "memory of what draws the window after 1 GB of tool output was streamed through its chat, against before",
		begin: beginTorrent(inWindow),
	},
	{
		name: "stream.1GB.chromium", unit: "MB", limit: 1.5, rounds: 1,
		what:  "the same in Chromium",
		begin: beginTorrent(inChromium),
	},
	{
		name: "frame.p99", unit: "ms", limit: 2, rounds: 3,
		what:  "time from frame to frame, the slowest of a hundred, while 1,000 pieces a second stream in, against a frame at rest",
		begin: beginFrames(inWindow, "frames"),
	},
	{
		name: "frame.p99.chromium", unit: "ms", limit: 2, rounds: 3,
		what:  "the same in Chromium",
		begin: beginFrames(inChromium, "frames"),
	},
	{
		name: "frame.key", unit: "ms", limit: 3, rounds: 3,
		what:  "time until a key press is painted, the slowest of a hundred, while 1,000 pieces a second stream in, against a frame at rest",
		begin: beginFrames(inWindow, "keys"),
	},
	{
		name: "frame.key.chromium", unit: "ms", limit: 3, rounds: 3,
		what:  "the same in Chromium",
		begin: beginFrames(inChromium, "keys"),
	},
}

// A result is one line of output.
type result struct {
	Name     string  `json:"name"`
	Value    float64 `json:"value"`
	Unit     string  `json:"unit"`
	Baseline float64 `json:"baseline"`
	Ratio    float64 `json:"ratio"`
	Limit    float64 `json:"limit"`
	OK       bool    `json:"ok"`
	// Also is what is measured beside it, without a limit.
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
	fmt.Fprintln(os.Stderr, "usage: go run ./bench [-cpuprofile FILE] [NAME…]\n\nThe names:")
	for _, b := range benches {
		fmt.Fprintf(os.Stderr, "  %-17s %s\n", b.name, b.what)
	}
}

// run measures the benches with these names, or all. One that fails does not
// keep the others from being measured.
func run(ctx context.Context, names []string, profile string, out io.Writer) error {
	for _, name := range names {
		if !slices.ContainsFunc(benches, func(b bench) bool { return b.name == name }) {
			usage()
			return fmt.Errorf("there is no benchmark %q", name)
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
			failed = errors.Join(failed, fmt.Errorf("%s could not be measured: %w", b.name, err))
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

// measure runs one bench.
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
