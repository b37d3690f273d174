package sandbox

import (
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// bare is a sandbox with the same namespaces as that of a command, and nothing else.
const bare = "bwrap --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --new-session --die-with-parent --cap-drop ALL --ro-bind / / --dev /dev --proc /proc -- bash -c true"

// BenchmarkCommand compares a command in the sandbox with bare. Both start from bash, in turn, and the times
// are medians.
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
		start := time.Now()
		r, err := w.s.Command(b.Context(), p, "true", nil)
		if err != nil {
			b.Fatal(err)
		}
		prepare = append(prepare, time.Since(start))
		ours, others = append(ours, run(r.Shell)), append(others, run(bare))
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2]) / float64(time.Millisecond)
	}
	b.ReportMetric(median(prepare), "ms-prepare")
	b.ReportMetric(median(ours), "ms-ours")
	b.ReportMetric(median(others), "ms-bare")
	b.ReportMetric(median(ours)/median(others), "ratio")
}
