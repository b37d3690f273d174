//go:build unix

package engine_test

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
	"github.com/voxpilot/voxpilot/internal/apptest"
)

// serveUpdates makes this build check for updates on a test server, which offers version 9.0.0. That version is a
// script that prints its version, and adds a line to a file beside it whenever it runs.
func serveUpdates(t *testing.T) {
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
		System: runtime.GOOS, Format: update.FormatTar, URL: server.URL + "/file", Size: int64(archive.Len()), SHA256: hex.EncodeToString(sum[:]),
	}}}.Sign(key)
	if err != nil {
		t.Fatal(err)
	}
	apptest.Build.UpdateFeed, apptest.Build.UpdateKey = server.URL+"/feed", base64.StdEncoding.EncodeToString(public)
	t.Cleanup(func() { apptest.Build.UpdateFeed, apptest.Build.UpdateKey = "", "" })
}

// waitForUpdateState waits until the updater is in the given state.
func (w *appEnv) waitForUpdateState(state backend.UpdateState) backend.Update {
	w.T.Helper()
	return *w.WaitFor("updates are "+string(state), func(e backend.Event) bool {
		return e.Update != nil && e.Update.State == state
	}).Update
}

func TestUpdate_BuildWithoutFeedSaysSo(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	w.waitForUpdateState(backend.UpdateOff)
	for _, do := range []func() error{w.App.CheckUpdate, w.App.DownloadUpdate, w.App.InstallUpdate} {
		if backend.CodeOf(do()) != backend.CodeUnavailable {
			t.Error("it does something")
		}
	}
}

func TestUpdate_InstallsOnRequestWhenIdle(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("macOS has the user install an image")
	}
	serveUpdates(t)
	w, chat := newRunningAppEnv(t)
	if err := w.App.CheckUpdate(); err != nil {
		t.Fatal(err)
	}
	if now := w.waitForUpdateState(backend.UpdateAvailable); now.Version != "9.0.0" || now.Notes == "" {
		t.Errorf("%+v", now)
	}
	if err := w.App.DownloadUpdate(); err != nil {
		t.Fatal(err)
	}
	w.waitForUpdateState(backend.UpdateReady)

	installed := make(chan *update.Package, 1)
	w.OnInstall(func(p *update.Package) { installed <- p })
	if err := w.App.InstallUpdate(); err == nil || !strings.Contains(err.Error(), "still running") {
		t.Errorf("while a chat is at work: %v", err)
	}
	if err := w.App.Stop(chat.ID); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the chat is idle", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.State != backend.TurnRunning
	})
	for w.App.InstallUpdate() != nil { // the turn has ended, but the chat's state may not have changed yet
		<-time.After(time.Millisecond)
	}
	again := w.App.InstallUpdate() // the user clicks twice
	p := <-installed
	if err := errors.Join(again, w.App.InstallUpdate()); err != nil {
		t.Errorf("once more: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = os.Remove(self+".new"), os.Remove(self+".new.runs") })
	if p == nil || p.Version != "9.0.0" || p.Into.Program != self {
		t.Errorf("what takes over is %+v", p)
	}
	w.Close()
	if runs, err := os.ReadFile(self + ".new.runs"); err != nil || len(runs) != 1 {
		t.Errorf("it was made ready %d times, %v", len(runs), err)
	}
}
