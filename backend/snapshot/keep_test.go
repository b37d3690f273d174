package snapshot_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// TestKeep_DamagedRecord checks that a store can still be used if its record of ignored files is damaged. Only the
// states that Keep recorded are lost, and the log reports this.
func TestKeep_DamagedRecord(t *testing.T) {
	for name, damage := range map[string]func(b []byte) []byte{
		"empty":     func([]byte) []byte { return nil },
		"truncated": func(b []byte) []byte { return b[:len(b)/2] },
		"other":     func([]byte) []byte { return []byte("damaged") },
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			f := newFixture(t, func(c *snapshot.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
			f.write(".gitignore", ".env\n")
			f.write("a", "1")
			f.write(".env", "KEY=1")
			first := f.snapshot()
			f.noErr(f.store.Keep(".env"))
			f.write("a", "2")
			f.write(".env", "KEY=2")
			second := f.snapshot()
			f.write(".env", "KEY=3")
			third := f.snapshot()
			f.noErr(f.stores.Close())
			file := filepath.Join(f.cfg.Data, "snapshots", "chat", "kept")
			b, err := os.ReadFile(file)
			f.noErr(err)
			f.noErr(os.WriteFile(file, damage(b), 0o600))
			f.open()
			if !strings.Contains(log.String(), "lost the first states of files that Git ignores") {
				t.Errorf("the log is %q", log.String())
			}
			if it := item(t, f.plan(first.ID, second.ID), ".env"); it.State != snapshot.Omitted || it.Reason != snapshot.Ignored {
				t.Errorf("the file before Keep is %+v", it)
			}
			f.undo(second.ID, third.ID, nil)
			f.undo(first.ID, second.ID, nil)
			if a, env := f.read("a"), f.read(".env"); a != "1" || env != "KEY=2" {
				t.Errorf("the files are %q and %q", a, env)
			}
			f.write(".env", "KEY=4")
			fourth := f.snapshot()
			f.noErr(f.store.Keep(".env"))
			log.Reset()
			f.noErr(f.stores.Close())
			f.open()
			if log.Len() > 0 {
				t.Errorf("after another start, the log is %q", log.String())
			}
			if item(t, f.plan(third.ID, fourth.ID), ".env").State != snapshot.GoesBack {
				t.Error("later changes to the file don't go back")
			}
			_, err = f.stores.Sweep(t.Context(), snapshot.Limits{Age: -hours(1), Bytes: 1 << 30})
			f.noErr(err)
		})
	}
}
