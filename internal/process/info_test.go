package process

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

const waitVar = "VOXPILOT_TEST_WAITS"

// TestLook_DescribesProcesses checks the description of a child process until it has exited.
func TestLook_DescribesProcesses(t *testing.T) {
	if os.Getenv(waitVar) != "" {
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		t.Skip("processes can't be described on this system")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestLook_DescribesProcesses$")
	cmd.Env = append(os.Environ(), waitVar+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	info, ok := Look(pid)
	if !ok || info.Parent != os.Getpid() || info.Program == "" || info.Terminal != "" && runtime.GOOS == "windows" ||
		info.Started.Before(before.Add(-2*time.Second)) || info.Started.After(time.Now().Add(time.Second)) {
		t.Errorf("got %+v, %t", info, ok)
	}
	if again, _ := Look(pid); again.Started != info.Started {
		t.Errorf("the start time changed from %v to %v", info.Started, again.Started)
	}
	if !IsOwn(pid) || !IsOwn(os.Getpid()) || IsOwn(os.Getppid()) {
		t.Errorf("own are: child %t, itself %t, parent %t", IsOwn(pid), IsOwn(os.Getpid()), IsOwn(os.Getppid()))
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" { // until Wait, the process is a zombie
		for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if _, ok := Look(pid); !ok {
				break
			}
			if time.Now().After(end) {
				t.Fatal("an exited process is still found")
			}
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, none := range []int{pid, 0, -1, 1 << 30} {
		if info, ok := Look(none); ok && none != pid {
			t.Errorf("%d: got %+v", none, info)
		}
	}
}
