package chaos_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/need"
)

// inNamespace returns a command that runs the app in a private mount namespace. There, it first runs the
// given shell script, which may mount anything and gets the data directory as "$0". The command needs no
// root privileges and leaves nothing behind.
func (h *appData) inNamespace(shell string) *exec.Cmd {
	h.t.Helper()
	self, err := os.Executable()
	if err != nil {
		h.t.Fatal(err)
	}
	cmd := exec.Command("sh", "-ec", shell+`; exec "$1"`, h.dir, self)
	cmd.SysProcAttr = need.Namespace(h.t, h.dir)
	return cmd
}

// fillDisk uses up all free space in dir and returns a function that frees it.
func fillDisk(t *testing.T, dir string) (free func()) {
	t.Helper()
	path := filepath.Join(dir, "fill")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for size := 1 << 20; size > 0; {
		if _, err = file.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk does not get full: %v", err)
	}
	return func() {
		t.Helper()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// waitForFile waits until file exists.
func waitForFile(t *testing.T, file string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; <-time.After(5 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("timed out waiting for %s", file)
		}
	}
}

func touch(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// hookProgram is the space in kB that the guard's hook program needs in the data folder.
const hookProgram = 4096

func TestChaosFullDisk_LosesNothingStopsNoAgent(t *testing.T) {
	rounds, seed := chaos.Runs(1, 10), chaos.Seed(t)
	result := chaos.Row(t, "Full disk during work, then room again", rounds)
	held := 0
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		h := newAppData(t)
		gates := t.TempDir()
		full, done := filepath.Join(gates, "full"), filepath.Join(gates, "done")
		piece := strings.Repeat("a piece of text that is long enough ", 4)
		before, during := 1+r.IntN(200), 200+r.IntN(2000)
		l := h.startCommand(h.inNamespace(fmt.Sprintf(`mount -t tmpfs -o size=%dk small "$0"`, hookProgram+2048+r.IntN(4096))), apptest.FakeAgentProgram(t, fakeagent.Script{Turns: []fakeagent.Turn{{
			fakeagent.Chunks(before, piece, time.Millisecond),
			fakeagent.WaitFor(full),
			fakeagent.Chunks(during, piece, 200*time.Microsecond),
			fakeagent.Edit(done, "", "done"),
			fakeagent.Say("the end"),
		}}}))
		chat := l.newChat()
		l.send(chat.ID, "go")
		l.waitForEvent(0, "the answer streams", func(e backend.Event) bool { return e.Text != nil && strings.Contains(e.Text.Text, piece) })

		free := fillDisk(t, filepath.Join("/proc", fmt.Sprint(l.cmd.Process.Pid), "root", h.dir))
		touch(t, full)
		from := l.waitForEvent(0, "the app says that it cannot write", func(e backend.Event) bool {
			return e.Storage != nil && e.Storage.State == backend.StorageFailing && strings.Contains(e.Storage.Message.String(), "full")
		})
		// New input is rejected with a message, and no part of it is processed.
		if err := l.answer(l.ask("Send", chat.ID, "lost?", nil), nil); backend.CodeOf(err) != backend.CodeStorage {
			t.Errorf("a message that cannot be kept was answered with %v", err)
		}
		if err := l.answer(l.ask("SaveDraft", chat.ID, "lost?", nil), nil); backend.CodeOf(err) != backend.CodeStorage {
			t.Errorf("a draft that cannot be kept was answered with %v", err)
		}
		if state := storageIn(l.waitForOpen()).State; state != backend.StorageFailing {
			t.Errorf("to a page that opens now, the storage is %s", state)
		}
		free()
		from = l.waitForEvent(from, "the app says that it can write again", func(e backend.Event) bool {
			return e.Storage != nil && e.Storage.State == backend.StorageOK
		})
		var request backend.Permission
		l.waitForEvent(0, "the agent asks", func(e backend.Event) bool {
			if e.Permission != nil {
				request = *e.Permission
			}
			return e.Permission != nil
		})
		l.call(nil, "Answer", request.ID, request.Options[0].ID, false)
		waitForFile(t, done)
		l.waitForEvent(from, "the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnDone })
		l.call(nil, "SaveDraft", chat.ID, "kept", nil)
		l.send(chat.ID, "and on")
		l.waitForEvent(from, "the next turn ends", func(e backend.Event) bool {
			return e.Turn != nil && e.Turn.State == backend.TurnDone && e.Turn.StartedAt > request.CreatedAt
		})

		want := strings.Repeat(piece, before+during)
		shown := displayedTexts(l.events())
		var answer string
		for _, e := range l.snapshot("/data/chat?id=" + chat.ID).Events {
			if e.Item == nil || e.Item.Kind != backend.ItemMessage {
				continue
			}
			var kept string
			l.call(&kept, http.MethodGet, "/data/text?item="+e.Item.ID)
			if kept != shown[e.Item.ID] {
				t.Errorf("%d bytes of text were shown, and %d are kept", len(shown[e.Item.ID]), len(kept))
			}
			answer += kept
		}
		if answer != want+"the end"+"ok" {
			t.Errorf("of an answer of %d bytes, %d are kept", len(want)+len("the endok"), len(answer))
		}
		held += len(want) - before*len(piece)
		if sent := h.prompts(); len(sent) != 2 || sent["lost?"] != 0 {
			t.Errorf("the agent was sent %v", sent)
		}
		l.quit()
		h.waitForAllExits(time.Now())
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	result("reported; %d KB of answers waited in memory and were saved later; nothing was lost, no turn was cut", held/rounds/1000)
}

// unprivilegedApp returns a command that runs the app without root's right to write
// anywhere, even if the tests run as root.
func (h *appData) unprivilegedApp() *exec.Cmd {
	h.t.Helper()
	self, err := os.Executable()
	if err != nil {
		h.t.Fatal(err)
	}
	cmd := exec.Command(self)
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: 0, Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: 0, Size: 1}},
		}
	}
	return cmd
}

// setWritable makes dir and everything in it writable or read-only for its owner.
func setWritable(t *testing.T, dir string, writable bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && d.Type() == fs.ModeSymlink {
			return nil // the sandbox removes files of ended runs meanwhile, and the mode of a link can't be changed
		}
		if err != nil {
			return err
		}
		mode := os.FileMode(0o400)
		if d.IsDir() {
			mode = 0o500
		}
		if writable {
			mode |= 0o200
		}
		if err := os.Chmod(path, mode); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestChaosReadOnlyData_StaysUnchanged(t *testing.T) {
	result := chaos.Row(t, "The data folder becomes read-only while an agent works", 1)
	h := newAppData(t)
	t.Cleanup(func() { setWritable(t, h.dir, true) })
	gate := filepath.Join(t.TempDir(), "gate")
	program := apptest.FakeAgentProgram(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("before "), fakeagent.WaitFor(gate), fakeagent.Say("and after")}}})
	l := h.startCommand(h.unprivilegedApp(), program)
	chat := l.newChat()
	l.send(chat.ID, "go")
	l.waitForEvent(0, "the answer begins", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "before " })
	setWritable(t, h.dir, false)
	touch(t, gate)
	// Open files can still be written.
	l.waitForEvent(0, "the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnDone })
	l.kill()
	h.waitForAllExits(time.Now())

	l = h.startCommand(h.unprivilegedApp(), program)
	if storage := storageIn(l.waitForOpen()); storage.State != backend.StorageReadOnly || !strings.Contains(storage.Message.String(), h.dir) {
		t.Errorf("the storage is %+v", storage)
	}
	if err := l.answer(l.ask("CreateChat", t.TempDir(), backend.ProviderCopilot), nil); backend.CodeOf(err) != backend.CodeStorage {
		t.Errorf("creating a chat: %v", err)
	}
	setWritable(t, h.dir, true)
	l.call(nil, "RetryStorage")
	l.waitForEvent(0, "the data is open", func(e backend.Event) bool { return e.Storage != nil && e.Storage.State == backend.StorageOK })
	texts := slices.Sorted(maps.Values(displayedTexts(l.snapshot("/data/chat?id=" + chat.ID).Events)))
	if !slices.Equal(texts, []string{"before and after", "go"}) {
		t.Errorf("the texts are %q", texts)
	}
	l.quit()
	h.waitForAllExits(time.Now())
	result("work continued in memory; the next start reported it and changed nothing, and had everything once the folder was writable")
}
