package snapshot_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// undoVar is the environment variable that makes the test binary undo changes and exit. The lines of its value are the
// chat's folder, the data folder, whether the file system supports exchanging files, and the IDs of the snapshots.
const undoVar = "VOXPILOT_TEST_UNDO"

func TestMain(m *testing.M) {
	if args := os.Getenv(undoVar); args != "" {
		if err := undoInChild(strings.Split(args, "\n")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func undoInChild(args []string) error {
	snapshot.SetExchange(args[2] == "true")
	stores := snapshot.New(snapshot.Config{Data: args[1], LoginPath: func() string { return "" }})
	store, err := stores.Open("chat", args[0]) // completes the changes that an earlier child process left unfinished
	if err != nil {
		return err
	}
	var ids []snapshot.ID
	for _, id := range args[3:] {
		ids = append(ids, snapshot.ID(id))
	}
	plan, err := store.Plan(context.Background(), ids[0], ids[1], ids[2])
	if err != nil {
		return err
	}
	fmt.Println("starts")
	_, err = store.Apply(context.Background(), plan, nil)
	fmt.Println("ends")
	return err
}

// TestChaosKill_UndoIsAllOrNothing kills the process at a random moment of an undo. After the next start, the undo must
// have restored either all files or none. If the user meanwhile saves a file that the undo would replace, the saved
// content must not be lost. In half of the rounds, the file system can't exchange two files atomically.
func TestChaosKill_UndoIsAllOrNothing(t *testing.T) {
	seed := chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL in the middle of an undo of 120 files, while the user saves some of them", chaos.Runs(8, 100))
	const took = 200 * time.Millisecond // the approximate duration of an undo
	untouched, completed, finished := 0, 0, 0
	aside := 0 // number of rounds in which the process was killed in the middle of an exchange that isn't atomic
	defer snapshot.SetExchange(true)
	for round := range chaos.Rounds(8, 100) {
		exchanges := round%4 < 2
		snapshot.SetExchange(exchanges)
		r := chaos.Rand(t, seed, round)
		f := newFixture(t)
		for i := range 100 {
			f.write(fmt.Sprintf("d%d/f%d", i%7, i), fmt.Sprint("before ", i))
		}
		f.noErr(os.Symlink("d1", f.path("link")))
		before := f.snapshot()
		first := readTree(t, f.dir)
		for i := range 100 {
			f.write(fmt.Sprintf("d%d/f%d", i%7, i), fmt.Sprint("after ", i))
		}
		f.remove("d3")
		f.remove("link")
		f.write("d3", "a file")
		f.write("link/x", "a folder")
		for i := range 20 {
			f.write(fmt.Sprintf("new/n%d", i), "new")
		}
		after := f.snapshot()
		last := readTree(t, f.dir)
		f.noErr(f.stores.Close())
		child := exec.CommandContext(t.Context(), os.Args[0])
		child.Env = append(os.Environ(), undoVar+"="+strings.Join([]string{f.dir, f.cfg.Data, strconv.FormatBool(exchanges), string(before.ID), string(after.ID), string(after.ID)}, "\n"))
		out, err := child.StdoutPipe()
		f.noErr(err)
		f.noErr(child.Start())
		lines := bufio.NewReader(out)
		if line, err := lines.ReadString('\n'); line != "starts\n" {
			t.Fatalf("got %q (%v)", line, err)
		}
		started := time.Now()
		mine := map[string]string{}
		wait := time.Duration(r.Int64N(int64(took)))
		changing := round%2 == 0 // kill it only while it changes files, after the temporary files are written
		if changing {
			wait = time.Duration(r.Int64N(int64(30 * time.Millisecond)))
		}
		for n := 0; time.Since(started) < wait; n++ {
			if _, err := os.Lstat(f.path("new/n0")); changing && err == nil {
				started = time.Now()
			}
			if n%200 == 0 {
				name := fmt.Sprintf("d5/f%d", 5+7*r.IntN(13))
				f.write(name+".tmp", "mine "+name)
				f.noErr(os.Rename(f.path(name+".tmp"), f.path(name)))
				mine[name] = "mine " + name
			}
		}
		f.noErr(child.Process.Kill())
		rest, err := io.ReadAll(lines)
		f.noErr(err)
		if _ = child.Wait(); strings.Contains(string(rest), "ends") {
			finished++
		}
		for name := range readTree(t, f.dir) {
			if strings.HasSuffix(name, "-old") {
				aside++
				break
			}
		}
		if round%3 == 0 { // the recovery is also killed
			again := exec.CommandContext(t.Context(), os.Args[0])
			again.Env = child.Env
			f.noErr(again.Start())
			<-time.After(time.Duration(r.Int64N(int64(20 * time.Millisecond))))
			f.noErr(again.Process.Kill())
			_ = again.Wait()
		}
		if round%2 == 1 { // recover as at the start of the app
			f.stores = snapshot.New(f.cfg)
			if _, err := f.stores.Recover(t.Context()); err != nil {
				t.Error(err)
			}
		} else {
			f.open()
		}
		got := readTree(t, f.dir)
		for name, content := range mine {
			if !strings.HasSuffix(got[name], " "+content) {
				t.Errorf("%s: got %q, want what the user saved", name, got[name])
			}
			delete(got, name)
		}
		want := last
		if strings.HasSuffix(got["d0/f0"], "before 0") {
			want = first
			completed++
		} else {
			untouched++
		}
		want = maps.Clone(want)
		for name := range mine {
			delete(want, name)
		}
		assertTree(t, got, want)
		for name := range readTree(t, f.cfg.Data) {
			if base := path.Base(name); base == "journal" || strings.HasPrefix(base, "tmp-") {
				t.Errorf("%s is left", name)
			}
		}
		f.open()
		f.undo(before.ID, after.ID, nil)
		if t.Failed() {
			t.Fatalf("in round %d, killed after %v", round, wait)
		}
		f.noErr(os.RemoveAll(filepath.Join(f.dir, "new")))
	}
	result("%d as before, %d as after, of which %d had ended; nothing of the user's lost", untouched, completed, finished)
	t.Logf("%d as before, %d as after, of which %d had ended; %d in the middle of an exchange", untouched, completed, finished, aside)
}
