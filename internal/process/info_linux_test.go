package process

import (
	"bufio"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

func TestTerminalName(t *testing.T) {
	for device, want := range map[uint32]string{0: "", 0x8800: "pts/0", 0x8803: "pts/3", 0x8901: "pts/257", 0x401: "tty1", 0x440: "ttyS0", 0x108802: "pts/258", 0x501: ""} {
		if got := terminalName(device); got != want {
			t.Errorf("%#x: got %q, want %q", device, got, want)
		}
	}
}

// TestIsOwn_InSandbox checks that a descendant in a sandbox is found by its PID inside that sandbox.
func TestIsOwn_InSandbox(t *testing.T) {
	unshare := need.Programs(t, "unshare")
	const inside = 7 // the seventh process of the sandbox
	cmd := exec.CommandContext(t.Context(), unshare, "-Urpf", "--mount-proc", "sh", "-c", "for i in 2 3 4 5 6; do sh -c :; done; sh -c 'echo $$; read x'; exit 0")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = cmd.Wait()
		need.Missing(t, "this system allows no PID namespaces: %v", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || pid != inside {
		t.Errorf("its PID is %q, %v, want %d", line, err, inside)
	}
	if !IsOwn(pid) || IsOwn(1<<20+pid) {
		t.Errorf("IsOwn is %t, and %t for another PID", IsOwn(pid), IsOwn(1<<20+pid))
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // read fails
	if IsOwn(pid) {
		t.Error("the process is found after its exit")
	}
}
