package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/update"
)

// publishFeed returns a new folder with files of the given names, like the folder that the release workflow publishes.
func publishFeed(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("what is in "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// keys generates a key pair by running the program.
func keys(t *testing.T) (private, public string) {
	t.Helper()
	var out strings.Builder
	if err := run([]string{"-new-key"}, &out); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		_, key, _ := strings.Cut(line, ": ")
		found = append(found, key)
	}
	if len(found) != 2 {
		t.Fatalf("it said %q", out.String())
	}
	return found[0], found[1]
}

func TestFeed_AcceptedByVoxPilot(t *testing.T) {
	private, public := keys(t)
	t.Setenv("TEST_KEY", private)
	dir := publishFeed(
		t, "voxpilot_1.2.0_amd64.deb", "voxpilot-1.2.0.x86_64.rpm", "voxpilot-1.2.0-linux-amd64.tar.gz", "voxpilot-1.2.0-linux-arm64.tar.gz",
		"VoxPilot-1.2.0-setup.exe", "VoxPilot-1.2.0-portable.zip", "VoxPilot-1.2.0.dmg",
		"VoxPilot-1.1.0.dmg", "SHA256SUMS", "voxpilot-1.2.0.cdx.json", "voxpilot-1.2.0-source.tar.gz",
	)
	notes := filepath.Join(t.TempDir(), "notes.md")
	if err := os.WriteFile(notes, []byte("- Faster"), 0o600); err != nil {
		t.Fatal(err)
	}
	var feed bytes.Buffer
	args := []string{
		"-version", "1.2.0", "-url", "https://example.org/v1.2.0/", "-notes", notes, "-key", "TEST_KEY",
		"-repository", "https://example.org/me/app", "-commit", "abc", "-workflow", "https://example.org/me/app/actions/runs/7", dir,
	}
	if err := run(args, &feed); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(feed.String(), private) {
		t.Error("the private key is in the feed")
	}
	_, body, _ := bytes.Cut(feed.Bytes(), []byte("\n"))
	var said update.Feed
	if err := json.Unmarshal(body, &said); err != nil {
		t.Fatal(err)
	}
	if want := (update.Source{Repository: "https://example.org/me/app", Commit: "abc", Workflow: "https://example.org/me/app/actions/runs/7"}); said.Source != want {
		t.Errorf("got the source %+v, want %+v", said.Source, want)
	}
	var got []string
	for _, a := range said.Assets {
		got = append(got, a.System+" "+a.Arch+" "+string(a.Format)+" "+a.URL)
	}
	slices.Sort(got)
	want := []string{
		"darwin  dmg https://example.org/v1.2.0/VoxPilot-1.2.0.dmg",
		"linux amd64 deb https://example.org/v1.2.0/voxpilot_1.2.0_amd64.deb",
		"linux amd64 rpm https://example.org/v1.2.0/voxpilot-1.2.0.x86_64.rpm",
		"linux amd64 tar.gz https://example.org/v1.2.0/voxpilot-1.2.0-linux-amd64.tar.gz",
		"linux arm64 tar.gz https://example.org/v1.2.0/voxpilot-1.2.0-linux-arm64.tar.gz",
		"windows amd64 exe https://example.org/v1.2.0/VoxPilot-1.2.0-setup.exe",
		"windows amd64 zip https://example.org/v1.2.0/VoxPilot-1.2.0-portable.zip",
	}
	if !slices.Equal(got, want) {
		t.Errorf("it lists\n%s", strings.Join(got, "\n"))
	}

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(feed.Bytes()) }))
	defer server.Close()
	told := make(chan backend.Update, 100)
	u := update.New(update.Config{
		Feed: server.URL, Keys: public, Version: "1.1.0", Dir: t.TempDir(), Install: update.Installation{Format: update.FormatFlatpak},
		IsEnabled: func() bool { return false }, Publish: func(now backend.Update) { told <- now }, Log: slog.New(slog.DiscardHandler),
	})
	defer u.Close()
	if err := u.Check(); err != nil {
		t.Fatal(err)
	}
	for now := range told {
		if now.State != backend.UpdateChecking {
			if now.State != backend.UpdateExternal || now.Version != "1.2.0" || now.Notes != "- Faster" {
				t.Errorf("VoxPilot says %+v", now)
			}
			return
		}
	}
}

func TestFeed_InvalidInputRefused(t *testing.T) {
	private, _ := keys(t)
	t.Setenv("TEST_KEY", private)
	t.Setenv("SHORT_KEY", base64.StdEncoding.EncodeToString(make([]byte, ed25519.PublicKeySize-1)))
	dir := publishFeed(t, "VoxPilot-1.2.0.dmg")
	const base = "https://example.org/"
	for name, args := range map[string][]string{
		"no key":             {"-version", "1.2.0", "-url", base, dir},
		"a key that is none": {"-version", "1.2.0", "-url", base, "-key", "SHORT_KEY", dir},
		"no folder":          {"-version", "1.2.0", "-url", base, "-key", "TEST_KEY"},
		"no such folder":     {"-version", "1.2.0", "-url", base, "-key", "TEST_KEY", filepath.Join(dir, "none")},
		"no such version":    {"-version", "1.3.0", "-url", base, "-key", "TEST_KEY", dir},
		"no version":         {"-url", base, "-key", "TEST_KEY", dir},
		"http":               {"-version", "1.2.0", "-url", "http://example.org/", "-key", "TEST_KEY", dir},
		"a file as a base":   {"-version", "1.2.0", "-url", "https://example.org/a", "-key", "TEST_KEY", dir},
		"notes that are not": {"-version", "1.2.0", "-url", base, "-key", "TEST_KEY", "-notes", filepath.Join(dir, "none"), dir},
		"two for one":        {"-version", "1.2.0", "-url", base, "-key", "TEST_KEY", publishFeed(t, "a-1.2.0.dmg", "b-1.2.0.dmg")},
	} {
		var out strings.Builder
		if err := run(args, &out); err == nil || out.Len() != 0 {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
	}
}

func TestFeed_IsRenewed(t *testing.T) {
	private, _ := keys(t)
	t.Setenv("TEST_KEY", private)
	var first, second strings.Builder
	if err := run([]string{"-version", "1.2.0", "-url", "https://example.org/", "-key", "TEST_KEY", publishFeed(t, "VoxPilot-1.2.0.dmg")}, &first); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "feed.txt")
	if err := os.WriteFile(file, []byte(first.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-renew", file, "-key", "TEST_KEY"}, &second); err != nil || !strings.Contains(second.String(), `"version": "1.2.0"`) {
		t.Errorf("got %q, %v", second.String(), err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(first.String(), "1.2.0", "9.9.9", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if run([]string{"-renew", file, "-key", "TEST_KEY"}, &second) == nil {
		t.Error("a list that was changed is renewed")
	}
}

func TestFeed_DateIsCreationTime(t *testing.T) {
	private, _ := keys(t)
	t.Setenv("TEST_KEY", private)
	before := time.Now().Truncate(time.Second)
	var feed bytes.Buffer
	if err := run([]string{"-version", "1.2.0", "-url", "https://example.org/", "-key", "TEST_KEY", publishFeed(t, "VoxPilot-1.2.0.dmg")}, &feed); err != nil {
		t.Fatal(err)
	}
	_, body, _ := bytes.Cut(feed.Bytes(), []byte("\n"))
	var said update.Feed
	if err := json.Unmarshal(body, &said); err != nil || said.Date.Before(before) || said.Date.After(time.Now()) {
		t.Errorf("the date is %v, %v", said.Date, err)
	}
}
