package sessionindex_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// TestIndex_ListsDamagedSessions checks that the index reports damage if and only if the real CLI can't load the
// session, and that each damaged session has a preview with a report.
func TestIndex_ListsDamagedSessions(t *testing.T) {
	seed := chaos.Seed(t)
	for i, d := range copilottest.Damages {
		t.Run(d.Name, func(t *testing.T) {
			w := newFixture(t)
			id := w.session("/gone", userSays("one"), agentSays("Hi"), entry("tool.execution_complete", `{"toolCallId":"a","success":true}`), userSays("two"), agentSays("Hi"))
			w.check(os.WriteFile(filepath.Join(w.dir(id), "workspace.yaml"), []byte("id: "+id+"\nname: one\n"), 0o600))
			d.Apply(t, chaos.Rand(t, seed, i), w.dir(id))
			list := w.list(sessionindex.Query{})
			if d.Name == "folder gone" {
				if len(list.Sessions) > 0 {
					t.Errorf("got %+v", list.Sessions)
				}
				return
			}
			if len(list.Sessions) != 1 || !list.Failure.IsZero() {
				t.Fatalf("got %+v", list)
			}
			s := list.Sessions[0]
			if (s.Damage == "") != d.Loads {
				t.Errorf("got %q, but the CLI loads it: %t", s.Damage, d.Loads)
			}
			p, err := w.Index.Preview(t.Context(), s.Home, s.ID)
			w.check(err)
			if (p.Report == nil) != d.Loads || !cmp.Equal(p.Session, s) {
				t.Errorf("got %+v", p)
			}
			if p.Report != nil && !d.Loses && (p.Report.Messages < 4 || p.Report.UpTo == 0) {
				t.Errorf("got %+v", *p.Report)
			}
		})
	}
}

// TestIndex_HostileFiles checks that hostile folders and files neither block the index nor hide other sessions.
func TestIndex_HostileFiles(t *testing.T) {
	w := newFixture(t)
	good := w.session("/gone", userSays("good"))
	outside := t.TempDir()
	w.check(os.WriteFile(filepath.Join(outside, "events.jsonl"), []byte(userSays("secret")), 0o600))

	linked := sessionfiles.NewID()
	w.check(os.Symlink(outside, w.dir(linked))) // a folder outside
	file := w.session("/gone")
	w.check(os.Remove(w.log(file)))
	w.check(os.Symlink(filepath.Join(outside, "events.jsonl"), w.log(file))) // a log outside
	w.check(os.Symlink("/dev/zero", filepath.Join(w.dir(file), "workspace.yaml")))
	loop := w.session("/gone")
	w.check(os.Remove(w.log(loop)))
	w.check(os.Symlink("events.jsonl", w.log(loop)))
	w.check(os.WriteFile(w.dir(sessionfiles.NewID()), []byte("a file"), 0o600))
	other := w.session("/gone") // the log of another session, through a link
	w.check(os.Remove(w.log(other)))
	w.check(os.Symlink("../"+good+"/events.jsonl", w.log(other)))
	makePipes(w)
	binary := sessionfiles.NewID()
	w.write(binary, started(binary, "/\xff\xfe")+entry("user.message", `{"content":"not \xff UTF-8 \u0000"}`)+"\xff\xfe\x00\n")
	w.check(os.WriteFile(filepath.Join(w.dir(binary), "workspace.yaml"), []byte("id: \xff\n"), 0o600))
	long := sessionfiles.NewID()
	w.write(long, started(long, "/gone")+userSays("long")+strings.Repeat("x", 50<<20)+"\n")

	list := w.list(sessionindex.Query{})
	got := map[string]backend.SessionDamage{}
	for _, s := range list.Sessions {
		got[s.ID] = s.Damage
		if strings.Contains(s.Title+s.Last, "secret") {
			t.Errorf("read a file outside: %+v", s)
		}
	}
	if want := map[string]backend.SessionDamage{good: "", binary: backend.DamageInvalid, long: backend.DamageInvalid}; !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, id := range []string{linked, file, loop, other} {
		p, err := w.Index.Preview(t.Context(), "", id)
		if err == nil && (p.First != "" || p.Last != "" || p.Report == nil) {
			t.Errorf("got %+v", p)
		}
	}
	p, err := w.Index.Preview(t.Context(), "", long)
	if err != nil || p.Report == nil || len(p.Report.Part) != 2000 || p.Report.Line != 3 || p.Report.Invalid != 1 {
		t.Errorf("got %+v, %v", p.Report, err)
	}
	for _, id := range []string{"", "..", "../x", good + "/", strings.ToUpper(good), sessionfiles.NewID()} {
		if _, err := w.Index.Preview(t.Context(), "", id); backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// TestIndex_UnreadableFolders checks that the list reports folders that can't be read.
func TestIndex_UnreadableFolders(t *testing.T) {
	w := newFixture(t)
	w.session("/gone", userSays("good"))
	w.homes = []string{t.TempDir()}
	w.check(os.WriteFile(filepath.Join(w.homes[0], "session-state"), nil, 0o600)) // not even root can read it as a folder
	list := w.list(sessionindex.Query{})
	if len(list.Sessions) != 1 || list.Failure.IsZero() {
		t.Errorf("got %+v", list)
	}
	w.check(os.Remove(filepath.Join(w.homes[0], "session-state")))
	if after := w.list(sessionindex.Query{}); !after.Failure.IsZero() || after.Revision <= list.Revision {
		t.Errorf("got %+v", after)
	}
	if os.Getuid() <= 0 {
		return // no permissions to check
	}
	id := w.session("/gone", userSays("locked"))
	w.check(os.Chmod(w.dir(id), 0))
	defer func() { w.check(os.Chmod(w.dir(id), 0o700)) }()
	if list := w.list(sessionindex.Query{}); len(list.Sessions) != 1 || list.Failure.IsZero() {
		t.Errorf("got %+v", list)
	}
}

// TestIndex_ManySessions checks that the background work describes and reads many new sessions.
func TestIndex_ManySessions(t *testing.T) {
	w := newFixture(t)
	const n = 700
	for range n {
		w.session("/gone", userSays("first"), agentSays("Hi"), userSays("last"))
	}
	list := w.list(sessionindex.Query{})
	if len(list.Sessions) != n {
		t.Fatalf("got %d sessions", len(list.Sessions))
	}
	for i, s := range list.Sessions {
		if s.Last != "last" || s.Messages != 3 || i > 0 && s.UpdatedAt > list.Sessions[i-1].UpdatedAt {
			t.Fatalf("got %+v", s)
		}
	}
}
