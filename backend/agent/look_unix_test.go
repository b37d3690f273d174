//go:build unix

package agent_test

import (
	"os"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestRequest_PipesAndDevicesNotRead checks that VoxPilot doesn't hang on a request that names an endless device, or
// a pipe without a writer, which would block when it is opened.
func TestRequest_PipesAndDevicesNotRead(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"pipe", "device", "in"} {
		about := `"locations":[{"path":"` + file + `"}],"content":[{"type":"diff","path":"` + file + `","newText":"new\n"}]`
		for name, steps := range map[string]fakeagent.Turn{
			"an edit":    {request(`"toolCallId":"r1","title":"Edit","kind":"edit",` + about), writeFile("$CWD/"+file, "new\n")},
			"a deletion": {request(`"toolCallId":"r1","title":"Delete","kind":"delete","locations":[{"path":"` + file + `"}]`)},
			"a command":  {request(`"toolCallId":"r1","title":"Run","kind":"execute","rawInput":{"command":"rm -rf ` + file + `"}`)},
			"a read":     {readFile("$CWD/"+file, "")},
		} {
			t.Run(name+" of "+file, func(t *testing.T) {
				t.Parallel()
				w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{steps}}), nil)
				noErr(t, syscall.Mkfifo(w.path("pipe"), 0o600))
				noErr(t, os.Symlink("/dev/zero", w.path("device")))
				noErr(t, os.Mkdir(w.path("in"), 0o700))
				noErr(t, syscall.Mkfifo(w.path("in/pipe"), 0o600))
				w.setPolicy("allow_once")
				w.promptAndExpect("go", backend.TurnDone)
				w.assertAllClosed()
			})
		}
	}
}
