package workspace_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// newFiles returns a Files that uses the given PATH. It doesn't read a folder again until the given time has passed.
func newFiles(t *testing.T, path string, fresh time.Duration) *workspace.Files {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	f := workspace.NewFiles(workspace.FilesConfig{LoginPath: func() string { return path }, Fresh: fresh})
	t.Cleanup(func() {
		if err := f.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return f
}

// waitForMatches returns the matches once the folder has been read.
func waitForMatches(t *testing.T, f *workspace.Files, folder, query string, limit int) workspace.FileMatches {
	t.Helper()
	for {
		found, err := f.Find(t.Context(), folder, query, limit)
		if err != nil {
			t.Fatal(err)
		}
		if !found.Reading {
			return found
		}
	}
}

func pathsOf(found workspace.FileMatches) []string {
	paths := []string{}
	for _, f := range found.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// createFiles creates files, each older than the one before.
func createFiles(t *testing.T, folder string, files ...string) {
	t.Helper()
	for i, name := range files {
		name, text, _ := strings.Cut(name, ": ")
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, ", ", "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 1, 1, 0, 0, -i, 0, time.UTC)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func repository(t *testing.T, folder string) {
	t.Helper()
	cmd := exec.Command("git", "init", "-q", folder)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func TestFiles_SkipsGitIgnored(t *testing.T) {
	for name, with := range map[string]struct {
		path string
		init bool
	}{
		"in a repository":           {os.Getenv("PATH"), true},
		"without git":               {"", true},
		"in a folder of no history": {os.Getenv("PATH"), false},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if with.init {
				repository(t, folder)
			}
			createFiles(t, folder,
				".gitignore: # built, *.log, /build/, !keep.log, node_modules/",
				"main.go", "keep.log", "noise.log", "build/out.go", "src/build/kept.go", "node_modules/a/index.js",
				"src/.gitignore: /own.txt, tmp, a/b.txt", "src/own.txt", "src/deep/own.txt", "src/deep/tmp/x.go", "src/a/b.txt", "src/c/a/b.txt", "own.txt",
			)
			want := []string{
				".gitignore", "keep.log", "main.go", "own.txt", "src/", "src/.gitignore", "src/build/", "src/build/kept.go",
				"src/c/", "src/c/a/", "src/c/a/b.txt", "src/deep/", "src/deep/own.txt",
			}
			if with.init {
				createFiles(t, folder, ".git/info/exclude: /secret.txt", "secret.txt")
			}
			got := pathsOf(waitForMatches(t, newFiles(t, with.path, time.Hour), folder, "", 100))
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFiles_RunsNothingOfRepository(t *testing.T) {
	folder := t.TempDir()
	repository(t, folder)
	ran := filepath.Join(t.TempDir(), "ran")
	createFiles(t, folder, "a.txt", ".gitattributes: * filter=evil")
	config, err := os.OpenFile(filepath.Join(folder, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	program := "touch " + filepath.ToSlash(ran)
	fmt.Fprintf(config, "[core]\n\tfsmonitor = %q\n\thooksPath = .\n[filter \"evil\"]\n\tclean = %q\n\tprocess = %q\n", program, program, program)
	if err := config.Close(); err != nil {
		t.Fatal(err)
	}
	if got := waitForMatches(t, newFiles(t, os.Getenv("PATH"), time.Hour), folder, "a.txt", 1); len(got.Files) != 1 {
		t.Errorf("found %+v", got)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program was run that the repository names")
	}
}

func TestFiles_SearchesNestedRepositories(t *testing.T) {
	folder := t.TempDir()
	repository(t, folder)
	repository(t, filepath.Join(folder, "libs", "inner"))
	createFiles(t, folder, "outer.go", "libs/inner/.gitignore: *.o", "libs/inner/inner.go", "libs/inner/inner.o")
	got := pathsOf(waitForMatches(t, newFiles(t, os.Getenv("PATH"), time.Hour), folder, "", 100))
	slices.Sort(got)
	if diff := cmp.Diff([]string{"libs/", "libs/inner/", "libs/inner/.gitignore", "libs/inner/inner.go", "outer.go"}, got); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestFiles_NoLinkLeavesFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights on Windows")
	}
	for name, path := range map[string]string{"with git": os.Getenv("PATH"), "without git": ""} {
		t.Run(name, func(t *testing.T) {
			folder, outside := t.TempDir(), t.TempDir()
			repository(t, folder)
			createFiles(t, outside, "secret.txt", "dir/secret2.txt")
			createFiles(t, folder, "a.txt", "dir/b.txt")
			for link, to := range map[string]string{
				"out.txt": filepath.Join(outside, "secret.txt"), "out": outside, "gone": "nowhere",
				"in.txt": "a.txt", "in": "dir", "loop": "loop",
			} {
				if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
					t.Fatal(err)
				}
			}
			got := pathsOf(waitForMatches(t, newFiles(t, path, time.Hour), folder, "", 100))
			slices.Sort(got)
			if diff := cmp.Diff([]string{"a.txt", "dir/", "dir/b.txt", "in.txt", "in/"}, got); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFiles_BestMatchFirst(t *testing.T) {
	folder := t.TempDir()
	createFiles(t, folder,
		"app.go", "app_attach.go", "app_data.go", "backend/agent/agent.go", "backend/assistant/assistant.go", "backend/store/store.go",
		"backend/store/read.go", "docs/how-it-works.md", "frontend/src/components/composer/Composer.tsx", "frontend/src/main.tsx",
		"frontend/src/styles/main.css", "main/readme.txt", "main.go", "a/m/a/i/n/other.txt", "Größe/🙂 façade.md",
	)
	f := newFiles(t, "", time.Hour)
	for query, want := range map[string]string{
		"main":       "main.go", // a file before the folder
		"maintsx":    "frontend/src/main.tsx",
		"app":        "app.go",
		"appd":       "app_data.go",
		"comp":       "frontend/src/components/composer/Composer.tsx",
		"COMPOSER":   "frontend/src/components/composer/Composer.tsx",
		"store":      "backend/store/store.go",
		"store/read": "backend/store/read.go",
		`store\read`: "backend/store/read.go",
		"hiw":        "docs/how-it-works.md", // starts of words
		"md docs":    "docs/how-it-works.md",
		"facade":     "Größe/🙂 façade.md",
		"docs/":      "docs/how-it-works.md", // content of the folder
		"docs":       "docs/",
	} {
		got := waitForMatches(t, f, folder, query, 3)
		if paths := pathsOf(got); len(paths) == 0 || paths[0] != want {
			t.Errorf("%q finds %q, want %q first", query, paths, want)
		}
	}
	if got := waitForMatches(t, f, folder, "zzz", 3); got.Total != 0 || got.Files == nil {
		t.Errorf("what doesn't exist is found: %+v", got)
	}
	if got := waitForMatches(t, f, folder, "go", 2); len(got.Files) != 2 || got.Total < 8 {
		t.Errorf("of %d files %d are shown", got.Total, len(got.Files))
	}
}

func TestFiles_HighlightsInUTF16(t *testing.T) {
	folder := t.TempDir()
	createFiles(t, folder, "Größe/🙂 façade.md", "x/y.go")
	f := newFiles(t, "", time.Hour)
	for query, want := range map[string]workspace.File{
		"fac md": {Path: "Größe/🙂 façade.md", Marks: []int{9, 10, 11, 16, 17}}, // 🙂 counts as two
		"x/y":    {Path: "x/y.go", Marks: []int{0, 1, 2}},
	} {
		got := waitForMatches(t, f, folder, query, 1).Files
		if diff := cmp.Diff([]workspace.File{want}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
}

func TestFiles_EmptyQueryListsRecent(t *testing.T) {
	folder := t.TempDir()
	createFiles(t, folder, "newest.go", "dir/second.go", "third.go", "oldest.go")
	f := newFiles(t, "", time.Hour)
	if diff := cmp.Diff([]string{"newest.go", "dir/second.go", "third.go"}, pathsOf(waitForMatches(t, f, folder, " ", 3))); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	f.NoteMention(folder, "oldest.go")
	f.NoteMention(folder, "dir")
	f.NoteMention(folder, "gone.go")
	f.NoteMention(folder, "dir")
	if diff := cmp.Diff([]string{"dir/", "oldest.go", "newest.go"}, pathsOf(waitForMatches(t, f, folder, "", 3))); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestFiles_NewFileFoundSoon(t *testing.T) {
	folder := t.TempDir()
	createFiles(t, folder, "a.go")
	f := newFiles(t, "", 0)
	waitForMatches(t, f, folder, "a.go", 1)
	createFiles(t, folder, "made.go")
	for len(waitForMatches(t, f, folder, "made.go", 1).Files) == 0 {
		runtime.Gosched() // being read
	}
}

func TestFiles_MissingFolderHasNone(t *testing.T) {
	if got := waitForMatches(t, newFiles(t, "", time.Hour), filepath.Join(t.TempDir(), "gone"), "x", 1); got.Total != 0 {
		t.Errorf("found %+v", got)
	}
}

func TestFiles_CloseStopsReading(t *testing.T) {
	folder := t.TempDir()
	createFiles(t, folder, "a.go")
	f := workspace.NewFiles(workspace.FilesConfig{LoginPath: func() string { return "" }, Fresh: 0})
	if err := f.Close(context.Background()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := f.Find(ctx, folder, "a", 1); err != nil || len(got.Files) > 0 || !got.Reading {
		t.Errorf("found %+v, %v", got, err)
	}
}

// TestFiles_SearchCostBoundedByResults checks that a search allocates nothing for names that it doesn't return,
// although it checks every name. Allocations are counted because measured times would vary.
func TestFiles_SearchCostBoundedByResults(t *testing.T) {
	allocations := func(files int) float64 {
		paths := make([]string, files)
		for i := range paths {
			paths[i] = fmt.Sprintf("src/dir%d/file%d.go", i%100, i)
		}
		search := workspace.Searching(paths)
		found := search(t.Context(), "file99", 10)
		if len(found.Files) != 10 || files == workspace.MaxFiles && found.Total < 1000 {
			t.Fatalf("of %d files %d are found", files, found.Total)
		}
		return testing.AllocsPerRun(3, func() { search(t.Context(), "file99", 10) })
	}
	few, many := allocations(1000), allocations(workspace.MaxFiles)
	if many > 2*few {
		t.Errorf("a search makes %.0f things in %d files and %.0f in 1,000", many, workspace.MaxFiles, few)
	}
}
