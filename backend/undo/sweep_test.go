package undo_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// sweptFolder is a folder whose snapshots are removed in the background.
type sweptFolder struct {
	*slowFolder
	dir    string // VoxPilot's data directory
	days   atomic.Int64
	gb     atomic.Int64
	lost   chan backend.TurnUndo // turns that can no longer be undone
	config undo.Config
}

func newSweptFolder(t *testing.T) *sweptFolder {
	t.Helper()
	f := &sweptFolder{lost: make(chan backend.TurnUndo, 100)}
	f.days.Store(30)
	f.gb.Store(2)
	f.slowFolder = newSlowFolder(t, func(c *undo.Config) {
		f.dir = c.Dir
		c.Limits = func() (int, int) { return int(f.days.Load()), int(f.gb.Load()) }
		publish := c.Publish
		c.Publish = func(events ...backend.Event) {
			for _, e := range events {
				if e.TurnUndo != nil && e.TurnUndo.State == backend.UndoUnavailable {
					f.lost <- *e.TurnUndo
					return
				}
			}
			publish(events...)
		}
		f.config = *c
	})
	if err := f.undo.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f
}

// marks returns the path of the folder that contains one file for each snapshot.
func (f *sweptFolder) marks(chatID string) string {
	return filepath.Join(f.dir, "snapshots", chatID, "snapshots")
}

// age makes all snapshots of the chat two days old.
func (f *sweptFolder) age() {
	f.t.Helper()
	then := time.Now().Add(-48 * time.Hour)
	marks, err := os.ReadDir(f.marks(f.chat.ID))
	for _, e := range marks {
		err = errors.Join(err, os.Chtimes(filepath.Join(f.marks(f.chat.ID), e.Name()), then, then))
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// waitForLoss waits until a turn can no longer be undone.
func (f *sweptFolder) waitForLoss(turn string) {
	f.t.Helper()
	select {
	case u := <-f.lost:
		if u.TurnID != turn {
			f.t.Errorf("the turn %+v can't be undone, want %s", u, turn)
		}
	case <-time.After(30 * time.Second):
		f.t.Fatal("the turn can still be undone")
	}
}

// TestSweep_AfterTurnThatAddedMuch checks that snapshots are removed after a turn if too much was added since the last
// removal, and not otherwise.
func TestSweep_AfterTurnThatAddedMuch(t *testing.T) {
	f := newSweptFolder(t)
	first := f.turn("1")
	f.age()
	f.days.Store(1)
	f.turn("2")
	select {
	case u := <-f.lost:
		t.Errorf("after a small turn, %+v can't be undone", u)
	case <-time.After(300 * time.Millisecond):
	}
	f.gb.Store(0)
	f.turn("3")
	f.waitForLoss(first)
}

// TestSweep_UnreadableStore checks that the turns of a chat become unavailable when their snapshots are removed, even
// if another chat's store can't be read.
func TestSweep_UnreadableStore(t *testing.T) {
	f := newSweptFolder(t)
	turn := f.turn("1")
	f.age()
	f.turn("2")
	for _, id := range []string{"0", "z"} { // before and after the chat's ID
		dir := filepath.Dir(f.marks(id))
		if err := os.MkdirAll(filepath.Join(dir, "kept"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	f.days.Store(1)
	f.undo.LimitsChanged()
	f.waitForLoss(turn)
}

// TestSweep_OpensNoStores checks that removing snapshots doesn't open the stores of all chats. An open store would keep
// its chat's newest snapshot, in memory and on disk, whatever the limit is.
func TestSweep_OpensNoStores(t *testing.T) {
	f := newSweptFolder(t)
	first := f.turn("1")
	f.age()
	f.turn("2")
	f.undo.Close()
	f.days.Store(1)
	f.undo = undo.New(t.Context(), f.config)
	if err := f.undo.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.waitForLoss(first)
	f.gb.Store(0)
	f.undo.LimitsChanged()
	eventually(t, "no snapshot is left", func() bool {
		left, err := os.ReadDir(f.marks(f.chat.ID))
		return len(left) == 0 && (err == nil || errors.Is(err, fs.ErrNotExist))
	})
}

// eventually waits until the given condition is met.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(30 * time.Second); !is(); <-look.C {
		if time.Now().After(deadline) {
			t.Fatalf("not reached: %s", what)
		}
	}
}

// TestUndo_SnapshotsWithoutChatAreRemoved checks that the old snapshots of a chat that no longer exists are removed
// when the app starts. Recent ones must stay.
func TestUndo_SnapshotsWithoutChatAreRemoved(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "1\n"}, fakeagent.Turn{fakeagent.Run("echo 2 > a.txt")})
	u := e.run(e.chat, "go")
	orphan, recent := filepath.Join(e.App.Dir, "snapshots", backend.NewID()), filepath.Join(e.App.Dir, "snapshots", backend.NewID())
	for _, dir := range []string{orphan, recent} {
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "kept"), []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().AddDate(-1, 0, 0)
	if err := os.Chtimes(orphan, old, old); err != nil {
		t.Fatal(err)
	}
	e.reopen(func(*backend.TurnUndo) {}, u.TurnID)
	eventually(t, "the folder is removed", func() bool {
		_, err := os.Stat(orphan)
		return errors.Is(err, fs.ErrNotExist)
	})
	if _, err := os.Stat(recent); err != nil {
		t.Errorf("a chat that may come back: %v", err)
	}
	if p := e.preview(u.TurnID); p.Ready != 1 {
		t.Errorf("the preview of the other chat is %+v", p)
	}
}
