package update

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

func TestDownload_ResumesAfterInterruption(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	in := p.install()
	in.check()
	half := len(p.file) / 2
	var ranges []string
	p.setFile(func(w http.ResponseWriter, r *http.Request) {
		ranges = append(ranges, r.Header.Get("Range"))
		if len(ranges) == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(len(p.file)))
			_, _ = w.Write(p.file[:half])
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p.file))
	})
	if now := in.download(); now.State != backend.UpdateReady {
		t.Fatalf("%+v", now)
	}
	if len(ranges) != 2 || ranges[0] != "" || !strings.HasPrefix(ranges[1], "bytes=") || ranges[1] == "bytes=0-" {
		t.Errorf("it asked for %q", ranges)
	}
}

func TestDownload_RetryDelayGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		begun := time.Now()
		c := newClient(Config{Stall: time.Minute, Pause: time.Second, WrapTransport: func(*http.Transport) http.RoundTripper {
			return roundTripFunc(func(*http.Request) (*http.Response, error) {
				at = append(at, time.Since(begun))
				return nil, http.ErrServerClosed
			})
		}}, false)
		ask := func(ctx context.Context) {
			err := c.download(ctx, Asset{URL: "https://example.com/file", Size: 1}, filepath.Join(t.TempDir(), "file"), func(int64) {})
			if !errors.Is(err, http.ErrServerClosed) {
				t.Error(err)
			}
		}
		ask(t.Context())
		if want := []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("it asked at %v, want %v", at, want)
		}
		// Quitting doesn't wait for the download.
		at, begun = nil, time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		ask(ctx)
		if len(at) != 2 || time.Since(begun) != 2*time.Second {
			t.Errorf("it asked at %v, and ended after %v", at, time.Since(begun))
		}
	})
}

func TestDownload_RestartsWithoutRangeSupport(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	in := p.install()
	in.check()
	tries := 0
	p.setFile(func(w http.ResponseWriter, r *http.Request) {
		tries++
		w.Header().Set("Content-Length", fmt.Sprint(len(p.file)))
		if tries == 1 {
			_, _ = w.Write(p.file[:len(p.file)/3])
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write(p.file)
	})
	if now := in.download(); now.State != backend.UpdateReady || tries != 2 {
		t.Errorf("after %d tries: %+v", tries, now)
	}
}

func TestDownload_FailureExplainedAndCleanedUp(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	for name, test := range map[string]struct {
		serve http.HandlerFunc
		says  string
	}{
		"cut again and again": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(p.file)))
			_, _ = w.Write(p.file[:1000])
			panic(http.ErrAbortHandler)
		}, "The connection failed."},
		"cut, and called whole": {func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(p.file[:1000]) }, "The connection failed."},
		"another file": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(slices.Concat(p.file[:len(p.file)-1], []byte{^p.file[len(p.file)-1]}))
		}, "because it couldn't verify it"},
		"a longer file": {func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(append(bytes.Clone(p.file), 0)) }, "because it couldn't verify it"},
		"no file":       {http.NotFound, "The server returned 404 Not Found."},
		"another part": {func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") == "" {
				_, _ = w.Write(p.file[:1000])
				return
			}
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 2000-%d/%d", len(p.file)-1, len(p.file)))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(p.file[2000:])
		}, "The server returned 206"},
		"silence": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(p.file[:1000])
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, "The server stopped sending data."},
	} {
		p.dir = filepath.Join(t.TempDir(), "updates")
		p.setFile(test.serve)
		in := p.install(func(c *Config) { c.Stall = 100 * time.Millisecond })
		for in.check().State != backend.UpdateAvailable { // the machine may be slower than that
		}
		now := in.download()
		if now.State != backend.UpdateFailed || now.Version != "1.2.0" || !strings.Contains(now.Message.String(), test.says) && !strings.Contains(now.Message.String(), "stopped sending") {
			t.Errorf("%s: %+v", name, now)
		}
		p.assertNoFiles()

		// A retry is possible.
		p.setFile(nil)
		in.Close()
		again := p.install()
		again.check()
		if now := again.download(); now.State != backend.UpdateReady {
			t.Errorf("%s, and again: %+v", name, now)
		}
	}
}

func TestDownload_QuitLeavesNothing(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	in := p.install()
	in.check()
	sent := make(chan bool)
	p.setFile(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(p.file[:len(p.file)/2])
		_ = http.NewResponseController(w).Flush()
		close(sent)
		<-r.Context().Done()
	})
	if err := in.Download(); err != nil {
		t.Fatal(err)
	}
	<-sent
	in.Close()
	p.assertNoFiles()
	in.mu.Lock()
	defer in.mu.Unlock()
	if now := in.updates[len(in.updates)-1]; now.State != backend.UpdateAvailable {
		t.Errorf("it stands at %+v", now)
	}
}

func TestDownload_ModifiedFileIsNotReady(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	in := p.install()
	in.check()
	in.download()
	ready, err := in.Ready()
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := os.WriteFile(ready.Path, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ready.Prepare(t.Context()); err == nil {
		t.Error("it would be installed")
	}
	again := p.install()
	if now := again.waitFor(func() error { again.Start(); return nil }, backend.UpdateReady, backend.UpdateAvailable); now.State != backend.UpdateAvailable {
		t.Errorf("after a restart: %+v", now)
	}
	if now := again.download(); now.State != backend.UpdateReady {
		t.Errorf("downloaded again: %+v", now)
	}
}

func TestDownload_PackageInstalledBySystem(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	p.dir = filepath.Join(t.TempDir(), "it's here")
	in := p.install(func(c *Config) { c.Install.Format = FormatDeb })
	if now := in.check(); now.State != backend.UpdateExternal || now.Size == 0 || now.Command != "" {
		t.Fatalf("after the check: %+v", now)
	}
	want := "sudo apt install '" + strings.ReplaceAll(p.dir, "'", `'\''`) + string(filepath.Separator) + "voxpilot-1.2.0.deb'"
	if now := in.download(); now.State != backend.UpdateExternal || now.Command != want {
		t.Errorf("after the download: %+v", now)
	}
	if _, err := in.Ready(); err == nil {
		t.Error("VoxPilot would install it itself")
	}
	if now := in.check(); now.Command != want {
		t.Errorf("after another check: %+v", now)
	}
	in.Close()
	again := p.install(func(c *Config) { c.Install.Format = FormatDeb })
	if now := again.waitFor(func() error { again.Start(); return nil }, backend.UpdateExternal); now.Command != want {
		t.Errorf("after a restart: %+v", now)
	}
}

func TestDownload_UnsupportedSystemHasAdvice(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	for form, says := range map[PackageFormat]string{
		FormatFlatpak: "download the new Flatpak from the project page",
		FormatImage:   "See the project page.",
	} {
		p.dir = filepath.Join(t.TempDir(), "updates")
		in := p.install(func(c *Config) { c.Install.Format = form })
		if now := in.check(); now.State != backend.UpdateExternal || now.Command != "" || !strings.Contains(now.Message.String(), says) {
			t.Errorf("%s: %+v", form, now)
		}
		if in.Download() == nil {
			t.Errorf("%s: there is something to download", form)
		}
	}
	p.publish("1.2.0", time.Now(), func(f *Feed) { f.Assets = nil })
	p.dir = filepath.Join(t.TempDir(), "updates")
	in := p.install(func(c *Config) { c.Install.Format = FormatDeb })
	if now := in.check(); now.Command != "sudo apt update && sudo apt install --only-upgrade voxpilot" {
		t.Errorf("a repository: %+v", now)
	}
}

func TestInstallation_KindDetected(t *testing.T) {
	for _, test := range []struct {
		system, program, marker, says, setup string
		want                                 PackageFormat
	}{
		{"linux", "usr/bin/voxpilot", "usr/share/voxpilot/packaged", "deb\n", "", FormatDeb},
		{"linux", "usr/bin/voxpilot", "usr/share/voxpilot/packaged", "rpm", "", FormatRPM},
		{"linux", "app/bin/voxpilot", "app/share/voxpilot/packaged", "flatpak\n", "", FormatFlatpak},
		{"linux", "usr/bin/voxpilot", "usr/share/voxpilot/packaged", "nonsense", "", FormatTar},
		{"linux", "home/me/voxpilot/voxpilot", "", "", "", FormatTar},
		{"windows", "VoxPilot/voxpilot.exe", "", "", "VoxPilot/", FormatSetup},
		{"windows", "VoxPilot/voxpilot.exe", "", "", "", FormatZip},
		{"windows", "portable/voxpilot.exe", "VoxPilot/uninstall.exe", "", "VoxPilot", FormatZip}, // next to an installed one
		{"windows", "portable/voxpilot.exe", "portable/uninstall.exe", "", "gone", FormatZip},
		{"darwin", "VoxPilot.app/Contents/MacOS/VoxPilot", "", "", "", FormatImage},
	} {
		root := t.TempDir()
		if test.marker != "" {
			marker := filepath.Join(root, test.marker)
			if err := os.MkdirAll(filepath.Dir(marker), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(marker, []byte(test.says), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		program := filepath.Join(root, test.program)
		if err := os.MkdirAll(filepath.Dir(program), 0o700); err != nil {
			t.Fatal(err)
		}
		setup := test.setup
		if setup != "" {
			setup = filepath.Join(root, setup)
		}
		if got := formatOf(test.system, program, setup); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func TestCheck_OncePerDay(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(d time.Duration) backend.Millis { return backend.Millis(now.Add(d).UnixMilli()) }
	for name, test := range map[string]struct {
		kept   state
		spread float64
		want   time.Duration
	}{
		"never":                   {state{}, 0.5, 0},
		"just now":                {state{CheckedAt: at(0), TriedAt: at(0)}, 0, day},
		"just now, spread":        {state{CheckedAt: at(0), TriedAt: at(0)}, 1, day + jitter},
		"a day ago":               {state{CheckedAt: at(-day), TriedAt: at(-day)}, 0, 0},
		"a day ago, spread":       {state{CheckedAt: at(-day), TriedAt: at(-day)}, 0.5, jitter / 2},
		"it failed just now":      {state{TriedAt: at(0)}, 0, tryAgain},
		"it failed a while ago":   {state{CheckedAt: at(-3 * day), TriedAt: at(-tryAgain)}, 0, 0},
		"asked for, and failed":   {state{CheckedAt: at(-time.Hour), TriedAt: at(0)}, 0, day - time.Hour},
		"when the clock was fast": {state{CheckedAt: at(900 * day), TriedAt: at(900 * day)}, 0, 0},
	} {
		if got := due(now, test.kept, test.spread); got != test.want {
			t.Errorf("%s: in %v, want %v", name, got, test.want)
		}
	}
}

func TestCheck_DisabledSendsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		var wanted atomic.Bool
		in := New(Config{
			Feed: "https://example.com/feed", Keys: strings.Repeat("A", 43) + "=", Version: "1.0.0", Dir: t.TempDir(),
			IsEnabled: func() bool { return wanted.Load() }, Publish: func(backend.Update) {}, Log: discard(),
			WrapTransport: func(*http.Transport) http.RoundTripper {
				return roundTripFunc(func(*http.Request) (*http.Response, error) {
					asked.Add(1)
					return nil, http.ErrServerClosed
				})
			},
		})
		defer in.Close()
		in.Start()
		time.Sleep(30 * day)
		synctest.Wait()
		if n := asked.Load(); n != 0 {
			t.Fatalf("it was looked for %d times", n)
		}
		wanted.Store(true)
		time.Sleep(day)
		synctest.Wait()
		if n := asked.Load(); n < 5 || n > 6 { // each fails
			t.Errorf("on the first day it was looked for %d times", n)
		}
	})
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (r roundTripFunc) RoundTrip(q *http.Request) (*http.Response, error) { return r(q) }
