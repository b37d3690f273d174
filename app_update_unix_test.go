//go:build unix

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/update"
)

// publishes makes this build one that looks for updates at a server of its own,
// which has version 9.0.0: a script that says so, and counts how often beside itself.
func publishes(t *testing.T) {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	script := []byte("#!/bin/sh\necho >>\"$0.runs\"\necho voxpilot 9.0.0\n")
	var archive bytes.Buffer
	zipped := gzip.NewWriter(&archive)
	files := tar.NewWriter(zipped)
	if err := files.WriteHeader(&tar.Header{Name: "voxpilot", Size: int64(len(script)), Mode: 0o755, Typeflag: tar.TypeReg}); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write(script); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(files.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	var feed []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/feed" {
			_, _ = w.Write(feed)
			return
		}
		_, _ = w.Write(archive.Bytes())
	}))
	t.Cleanup(server.Close)
	sum := sha256.Sum256(archive.Bytes())
	feed, err = update.Feed{Version: "9.0.0", Date: time.Now(), Notes: "- Better in every way", Assets: []update.Asset{{
		System: runtime.GOOS, Form: update.FormTar, URL: server.URL + "/file", Size: int64(archive.Len()), SHA256: hex.EncodeToString(sum[:]),
	}}}.Sign(key)
	if err != nil {
		t.Fatal(err)
	}
	updateFeed, updateKey = server.URL+"/feed", base64.StdEncoding.EncodeToString(public)
	t.Cleanup(func() { updateFeed, updateKey = "", "" })
}

// stands waits until updates stand so.
func (w *window) stands(state backend.UpdateState) backend.Update {
	w.t.Helper()
	return *w.until("updates are "+string(state), func(e backend.Event) bool {
		return e.Update != nil && e.Update.State == state
	}).Update
}

func TestABuildWithoutAFeedSaysThatItDoesNotLookForUpdates(t *testing.T) {
	w := openWindow(t, t.TempDir())
	w.stands(backend.UpdateOff)
	for _, do := range []func() error{w.app.CheckUpdate, w.app.DownloadUpdate, w.app.InstallUpdate} {
		if backend.CodeOf(do()) != backend.CodeUnavailable {
			t.Error("it does something")
		}
	}
}

func TestAnUpdateIsInstalledWhenTheUserWantsItAndNoChatIsAtWork(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("macOS has the user install an image")
	}
	publishes(t)
	w, chat := atWork(t)
	if err := w.app.CheckUpdate(); err != nil {
		t.Fatal(err)
	}
	if now := w.stands(backend.UpdateAvailable); now.Version != "9.0.0" || now.Notes == "" {
		t.Errorf("%+v", now)
	}
	if err := w.app.DownloadUpdate(); err != nil {
		t.Fatal(err)
	}
	w.stands(backend.UpdateReady)

	quit := make(chan struct{})
	w.atDesk(func(d *desktop) { d.quit = func() { close(quit) } })
	if err := w.app.InstallUpdate(); err == nil || !strings.Contains(err.Error(), "still at work") {
		t.Errorf("while a chat is at work: %v", err)
	}
	if err := w.app.Stop(chat.ID); err != nil {
		t.Fatal(err)
	}
	w.until("the chat is idle", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.State != backend.TurnRunning
	})
	for w.app.InstallUpdate() != nil { // its turn has ended; the chat knows in a moment
		<-time.After(time.Millisecond)
	}
	again := w.app.InstallUpdate() // the button is clicked twice
	<-quit
	if err := errors.Join(again, w.app.InstallUpdate()); err != nil {
		t.Errorf("once more: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = os.Remove(self+".new"), os.Remove(self+".new.runs") })
	if p := w.app.next.Load(); p == nil || p.Version != "9.0.0" || p.Into.Program != self {
		t.Errorf("what takes over is %+v", p)
	}
	if w.app.beforeClose(t.Context()) {
		t.Error("the window stays")
	}
	w.close()
	if runs, err := os.ReadFile(self + ".new.runs"); err != nil || len(runs) != 1 {
		t.Errorf("it was made ready %d times, %v", len(runs), err)
	}
}
