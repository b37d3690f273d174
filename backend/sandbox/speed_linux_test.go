package sandbox

import (
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// bare is the command line of a sandbox that has the same namespaces as VoxPilot's sandbox, but not its other
// restrictions.
const bare = "bwrap --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --new-session --die-with-parent --cap-drop ALL --ro-bind / / --dev /dev --proc /proc -- bash -c true"

// BenchmarkCommand compares the time of a command in the sandbox with that of a command in bare. Both are started by
// bash, alternately. The reported times are medians. The processor times also cover the preparation of the sandbox and
// the cleanup.
func BenchmarkCommand(b *testing.B) {
	w := newComputer(b)
	server, err := net.Listen("unix", filepath.Join(w.data, "proxy"))
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	p := w.policy
	p.Network, p.Proxy = backend.NetworkSites, server.Addr().String()
	var prepare, ours, others []time.Duration
	var oursCPU, othersCPU time.Duration
	run := func(line string) time.Duration {
		cmd := exec.CommandContext(b.Context(), "bash", "-c", line)
		cmd.Dir = w.folder
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		return time.Since(start)
	}
	for b.Loop() {
		start, used := time.Now(), processorTime(b)
		ended := make(chan struct{})
		r, err := w.s.Command(b.Context(), p, "true", func() { close(ended) })
		if err != nil {
			b.Fatal(err)
		}
		prepare = append(prepare, time.Since(start))
		ours = append(ours, run(r.Shell))
		w.wait(ended)
		between := processorTime(b)
		others = append(others, run(bare))
		oursCPU, othersCPU = oursCPU+between-used, othersCPU+processorTime(b)-between
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2]) / float64(time.Millisecond)
	}
	b.ReportMetric(median(prepare), "ms-prepare")
	b.ReportMetric(median(ours), "ms-ours")
	b.ReportMetric(median(others), "ms-bare")
	b.ReportMetric(median(ours)/median(others), "ratio")
	b.ReportMetric(float64(oursCPU)/float64(othersCPU), "ratio-cpu") // other load on the machine affects it least
	b.ReportMetric(float64(oursCPU.Microseconds())/float64(len(ours)), "µs-cpu-ours")
}

// processorTime returns the processor time of this process and of its child processes that have ended.
func processorTime(b *testing.B) (t time.Duration) {
	b.Helper()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if err := syscall.Getrusage(who, &r); err != nil {
			b.Fatal(err)
		}
		t += time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	return t
}
