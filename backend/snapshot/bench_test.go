package snapshot_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// newTree creates and commits 20,000 files of 4 KB in the fixture's folder.
func newTree(f *fixture) {
	r := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // reproducible
	for d := range 400 {
		for n := range 50 {
			var b strings.Builder
			for range 100 {
				fmt.Fprintf(&b, "line %d of %d %d: %d\n", r.Uint64(), d, n, r.Uint32()%1000)
			}
			f.write(fmt.Sprintf("pkg%02d/mod%02d/file%02d.go", d/20, d%20, n), b.String())
		}
	}
	f.write(".gitignore", "node_modules/\ndist/\n*.o\n*.log\n/build\n.env\n*.pyc\n__pycache__/\n.idea/\ncoverage/\n*.tmp\ntmp/\n/bin\n.DS_Store\n*.swp\nvendor/**/test\n!keep.log\ntarget/\n")
	f.git("init", "-q")
	f.git("add", "-A")
	f.git("commit", "-qm", "1")
	f.git("status")
}

// gitStatus runs git status and returns the time that it took.
func (f *fixture) gitStatus() time.Duration {
	started := time.Now()
	cmd := exec.CommandContext(f.t.Context(), "git", "status", "--porcelain")
	cmd.Dir = f.dir
	f.noErr(cmd.Run())
	return time.Since(started)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// BenchmarkUndo20k compares the time of snapshots with that of git status in a folder that has 20,000 files. It
// measures the first snapshot, and then snapshots before tool calls of which half change a file, between turns that
// change 20 files each, and of an unchanged folder.
func BenchmarkUndo20k(b *testing.B) {
	f := newFixture(b)
	newTree(f)
	started := time.Now()
	first := f.snapshot()
	firstTook := time.Since(started)
	var status, turns, tools, idle []time.Duration
	before, after := first.ID, first.ID
	for b.Loop() {
		for i := range 100 {
			if i%2 == 0 {
				f.write(fmt.Sprintf("pkg%02d/mod%02d/file%02d.go", i%20, i/5, i%50), fmt.Sprint("tool ", i, time.Now()))
			}
			status = append(status, f.gitStatus())
			started := time.Now()
			f.snapshot()
			tools = append(tools, time.Since(started))
		}
		for i := range 20 {
			for n := range 20 {
				f.write(fmt.Sprintf("pkg%02d/mod%02d/file%02d.go", n, i, i), fmt.Sprint("turn ", i, time.Now()))
			}
			status = append(status, f.gitStatus())
			started := time.Now()
			before, after = after, f.snapshot().ID
			turns = append(turns, time.Since(started))
			status = append(status, f.gitStatus())
			started = time.Now()
			f.snapshot()
			idle = append(idle, time.Since(started))
		}
	}
	s := median(status).Seconds()
	b.ReportMetric(firstTook.Seconds()*1000, "first-ms")
	b.ReportMetric(s*1000, "status-ms")
	for name, times := range map[string][]time.Duration{"turn": turns, "tool": tools, "idle": idle} {
		b.ReportMetric(median(times).Seconds()*1000, name+"-ms")
		b.ReportMetric(median(times).Seconds()/s, name+"/status")
	}
	started = time.Now()
	plan := f.plan(before, after)
	b.ReportMetric(float64(time.Since(started).Milliseconds()), "plan-ms")
	started = time.Now()
	res, err := f.store.Apply(b.Context(), plan, nil)
	f.noErr(err)
	if len(res.Done) != 20 {
		b.Fatalf("got %+v, want 20 files", res)
	}
	b.ReportMetric(float64(time.Since(started).Milliseconds()), "apply-ms")
	swept, err := f.stores.Sweep(b.Context(), snapshot.Limits{Age: time.Hour, Bytes: 1 << 30})
	f.noErr(err)
	b.ReportMetric(float64(swept.Bytes)/(1<<20), "store-MB")
}
