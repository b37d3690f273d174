package update

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// writeArchive creates the archive of a portable VoxPilot, in the format of its extension.
func writeArchive(t *testing.T, archive string, files map[string][]byte) {
	t.Helper()
	var out bytes.Buffer
	if strings.HasSuffix(archive, ".zip") {
		to := zip.NewWriter(&out)
		for name, data := range files {
			file, err := to.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.Write(data); err != nil {
				t.Fatal(err)
			}
		}
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
	} else {
		zipped := gzip.NewWriter(&out)
		to := tar.NewWriter(zipped)
		for name, data := range files {
			mode := int64(0o644)
			if filepath.Base(name) == "voxpilot" {
				mode = 0o755
			}
			if err := to.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: mode, Typeflag: tar.TypeReg}); err != nil {
				t.Fatal(err)
			}
			if _, err := to.Write(data); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(to.Close(), zipped.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(archive, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// assetOf returns the feed entry for a file.
func assetOf(t *testing.T, path string) Asset {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	return Asset{Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
}

func TestArchive_OnlyProgramExtracted(t *testing.T) {
	want := []byte("the program")
	for _, test := range []struct {
		name  string
		form  PackageFormat
		files map[string][]byte
		found bool
	}{
		{"a.tar.gz", FormatTar, map[string][]byte{"voxpilot-1.2.0/voxpilot": want, "voxpilot-1.2.0/README.md": []byte("read")}, true},
		{"b.tar.gz", FormatTar, map[string][]byte{"../../voxpilot": want}, true}, // its path is ignored
		{"c.tar.gz", FormatTar, map[string][]byte{"README.md": want}, false},
		{"d.zip", FormatZip, map[string][]byte{"VoxPilot/voxpilot.exe": want, "VoxPilot/README.md": []byte("read")}, true},
		{"e.zip", FormatZip, map[string][]byte{"README.md": want}, false},
	} {
		archive := filepath.Join(t.TempDir(), test.name)
		writeArchive(t, archive, test.files)
		var got bytes.Buffer
		err := extract(archive, test.form, &got)
		if test.found && (err != nil || !bytes.Equal(got.Bytes(), want)) || !test.found && !errors.Is(err, errFormat) {
			t.Errorf("%s: %q, %v", test.name, got.Bytes(), err)
		}
	}
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, form := range []PackageFormat{FormatTar, FormatZip} {
		if err := extract(broken, form, io.Discard); !errors.Is(err, errFormat) {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// build builds the program in testdata with a version and a fault to simulate.
func build(t *testing.T, version, fault string) []byte {
	t.Helper()
	program := filepath.Join(t.TempDir(), "voxpilot")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-X main.version="+version+" -X main.fault="+fault, "-o", program, "./testdata/program")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPortable_ReplacesItself checks, with two real programs in real processes, that a portable version replaces itself
// with a newer one, and that the previous version is restored if the newer one can't run or crashes at its start.
func TestPortable_ReplacesItself(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it is a .tar.gz")
	}
	before := build(t, "1.1.0", "")
	built := map[string][]byte{}
	for _, fault := range []string{"", "version", "start"} {
		built[fault] = build(t, "1.2.0", fault)
	}
	for name, test := range map[string]struct {
		fault, newer string
		notes        []string // actions of the programs, in order
		stays        bool     // the previous version is installed at the end
		old          bool     // and is still next to the new one
	}{
		"it starts": {notes: []string{
			"1.1.0 starts", "1.1.0 installs true", "1.2.0 starts", "1.2.0 is none ", "1.2.0 ends",
		}},
		"it cannot run here": {fault: "version", stays: true, notes: []string{
			"1.1.0 starts", "1.1.0 is kept VoxPilot 1.2.0 won't run on this computer. Your current version wasn't changed.",
		}},
		"it dies at the start": {fault: "start", stays: true, notes: []string{
			"1.1.0 starts", "1.1.0 installs true", "1.2.0 starts", "1.1.0 starts",
			"1.1.0 is failed VoxPilot 1.2.0 didn't start, so 1.1.0 was restored. Your chats aren't affected.", "1.1.0 ends",
		}},
		"it dies when the data is of its kind already": {fault: "start", newer: "1", old: true, notes: []string{
			"1.1.0 starts", "1.1.0 installs true", "1.2.0 starts",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPublisher(t, httptest.NewServer)
			after := built[test.fault]
			archive := filepath.Join(t.TempDir(), "voxpilot.tar.gz")
			writeArchive(t, archive, map[string][]byte{"voxpilot-1.2.0/voxpilot": after})
			var err error
			if p.file, err = os.ReadFile(archive); err != nil {
				t.Fatal(err)
			}
			p.publish("1.2.0", time.Now())

			home := t.TempDir()
			program, notes := filepath.Join(home, "voxpilot"), filepath.Join(t.TempDir(), "notes")
			if err := os.WriteFile(program, before, 0o755); err != nil {
				t.Fatal(err)
			}
			first := exec.CommandContext(t.Context(), program)
			first.Env = append(
				os.Environ(), "TEST_FEED="+p.server.URL+"/feed", "TEST_KEYS="+base64.StdEncoding.EncodeToString(p.public),
				"TEST_DIR="+p.dir, "TEST_NOTES="+notes, "TEST_NEWER="+test.newer,
			)
			if out, err := first.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			// The last program may still be running: it writes its final note once everything is done.
			var got []string
			for deadline := time.Now().Add(time.Minute); !slices.Equal(got, test.notes); <-time.After(10 * time.Millisecond) {
				said, err := os.ReadFile(notes)
				if err != nil {
					t.Fatal(err)
				}
				got = slices.DeleteFunc(strings.Split(strings.TrimSuffix(string(said), "\n"), "\n"), func(line string) bool {
					return strings.HasPrefix(line, "1.1.0 ends ") // from the watching version, concurrent with the others
				})
				if time.Now().After(deadline) {
					t.Fatalf("they did\n%s", said)
				}
			}
			installed, err := os.ReadFile(program)
			if err != nil || bytes.Equal(installed, before) != test.stays || bytes.Equal(installed, after) == test.stays {
				t.Errorf("what is installed is another version, %v", err)
			}
			entries, err := os.ReadDir(home)
			if want := map[bool]int{false: 1, true: 2}[test.old]; err != nil || len(entries) != want {
				t.Errorf("beside it there are %v, %v", entries, err)
			}
		})
	}
}

func TestInstall_ReadOnlyProgramNotDownloaded(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	in := p.install(func(c *Config) { c.Install.Program = filepath.Join(t.TempDir(), "none", "voxpilot") })
	in.check()
	if err := in.Download(); err == nil || !strings.Contains(err.Error(), "can't replace its own files") {
		t.Errorf("Download: %v", err)
	}
	if p.requestCount("/file") != 0 {
		t.Error("the file was asked for")
	}
}
