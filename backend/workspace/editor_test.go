package workspace_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

func TestMain(m *testing.M) {
	workspace.DetachIfRequested()
	os.Exit(m.Run())
}

// newRecordingProgram creates a program that writes its parent's pid, its folder and its arguments to a file,
// atomically. It returns the paths of the program and of this file.
func newRecordingProgram(t *testing.T, name string) (path, wrote string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	dir := t.TempDir()
	path, wrote = filepath.Join(dir, name), filepath.Join(dir, "wrote")
	noErr(t, os.WriteFile(path, []byte("#!/bin/sh\n{ echo \"$PPID\"; pwd; for a in \"$@\"; do echo \"$a\"; done; } > '"+wrote+".new'\nmv '"+wrote+".new' '"+wrote+"'\n"), 0o700))
	return path, wrote
}

// readWhenWritten waits for the output of a recording program and returns its lines: the parent's pid,
// the folder and the arguments.
func readWhenWritten(t *testing.T, path string) []string {
	t.Helper()
	late, look := time.After(time.Minute), time.Tick(10*time.Millisecond)
	for {
		if text, err := os.ReadFile(path); err == nil {
			return strings.Split(strings.TrimSpace(string(text)), "\n")
		}
		select {
		case <-look:
		case <-late:
			t.Fatal("the program was not started")
		}
	}
}

func resolve(t *testing.T, folder, path string) workspace.ResolvedPath {
	t.Helper()
	p, err := workspace.Locate(folder, path)
	noErr(t, err)
	return p
}

// lookPathIn returns a function that looks up programs in the given map.
func lookPathIn(programs map[string]string) func(string) string {
	return func(name string) string { return programs[name] }
}

func TestEditor_OpensFileAtLine(t *testing.T) {
	editor, wrote := newRecordingProgram(t, "my editor")
	folder, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	file := filepath.Join(folder, "-a b;$(touch x).go")
	noErr(t, os.WriteFile(file, nil, 0o600))
	noErr(t, workspace.OpenInEditor(t.Context(), resolve(t, folder, file), workspace.EditorTarget{
		Editor: `"` + editor + `" --at={line} 'in it' {folder} {file}`, Folder: folder, Line: 7, Env: os.Environ(),
		LookUp: func(name string) string { return name },
	}))
	got := readWhenWritten(t, wrote)
	if parent, err := strconv.Atoi(got[0]); err != nil || parent == os.Getpid() {
		t.Errorf("the editor is a child of VoxPilot, %v", err)
	}
	if got, want := strings.Join(got[1:], "|"), strings.Join([]string{folder, "--at=7", "in it", folder, file}, "|"); got != want {
		t.Errorf("it was started with\n%s\nwant\n%s", got, want)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("the name was taken for a command: %v", entries)
	}
}

func TestEditor_OpensRegularFilesOnly(t *testing.T) {
	editor, _ := newRecordingProgram(t, "editor")
	folder := t.TempDir()
	o := workspace.EditorTarget{Editor: editor + " {file}", Folder: folder, LookUp: func(name string) string { return name }}
	if err := workspace.OpenInEditor(t.Context(), resolve(t, folder, folder), o); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a folder: %v", err)
	}
	if err := workspace.OpenInEditor(t.Context(), resolve(t, folder, filepath.Join(folder, "none")), o); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("nothing: %v", err)
	}
}

func TestEditor_DefaultsToFirstKnown(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	file := filepath.Join(folder, "main.go")
	noErr(t, os.WriteFile(file, nil, 0o600))
	for name, want := range map[string][]string{
		"code":    {"--goto", file + ":7"},
		"cursor":  {"--goto", file + ":7"},
		"zed":     {file + ":7"},
		"subl":    {file + ":7"},
		"idea":    {"--line", "7", file},
		"kate":    {"--line", "7", file},
		"gedit":   {"+7", file},
		"bbedit":  {"+7", file},
		"mate":    {"-l", "7", file},
		"goland":  {"--line", "7", file},
		"zeditor": {file + ":7"},
	} {
		editor, wrote := newRecordingProgram(t, name)
		noErr(t, workspace.OpenInEditor(t.Context(), resolve(t, folder, file), workspace.EditorTarget{
			Folder: folder, Line: 7, Env: os.Environ(), LookUp: lookPathIn(map[string]string{name: editor, "notepad++": "/nowhere"}),
		}))
		if got := strings.Join(readWhenWritten(t, wrote)[2:], "|"); got != strings.Join(want, "|") {
			t.Errorf("%s was started with %s", name, got)
		}
	}
	for what, look := range map[string]map[string]string{"none": nil, "the daemon of ZFS": {"zed": "/usr/sbin/zed"}} {
		err := workspace.OpenInEditor(t.Context(), resolve(t, folder, file), workspace.EditorTarget{Folder: folder, LookUp: lookPathIn(look)})
		if backend.CodeOf(err) != backend.CodeNoEditor || !strings.Contains(err.Error(), "Settings") {
			t.Errorf("with %s: %v", what, err)
		}
	}
}

func TestEditor_StartFailureReported(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "f")
	noErr(t, os.WriteFile(file, nil, 0o600))
	err := workspace.OpenInEditor(t.Context(), resolve(t, folder, file), workspace.EditorTarget{Folder: folder, LookUp: lookPathIn(map[string]string{"code": file})})
	if backend.CodeOf(err) != backend.CodeUnavailable || !strings.Contains(err.Error(), file) {
		t.Errorf("a file that is no program: %v", err)
	}
	err = workspace.OpenInEditor(t.Context(), resolve(t, folder, file), workspace.EditorTarget{Editor: "absent {file}", Folder: folder, LookUp: lookPathIn(nil)})
	if backend.CodeOf(err) != backend.CodeNotFound || !strings.Contains(err.Error(), "absent") {
		t.Errorf("one that is not installed: %v", err)
	}
}

func TestEditor_InvalidCommandRefused(t *testing.T) {
	for _, good := range []string{"", "  ", "code -g {file}:{line}", "/opt/x/bin/ed {file}", `"/opt/my editor" '{file}'`, "open -a Zed {file}", "gnome-terminal -- vim +{line} {file}"} {
		if err := workspace.CheckEditor(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for bad, why := range map[string]string{
		"code":                  "{file}",
		"{file}":                "start with a program",
		"bin/code {file}":       "full path",
		"sh -c {file}":          "is a shell or command runner",
		"/bin/BASH {file}":      "is a shell or command runner",
		"powershell.exe {file}": "is a shell or command runner",
		"code.cmd {file}":       "is a shell or command runner",
		"xdg-open {file}":       "run some files",
		"open {file}":           "run some files",
		`code "{file}`:          "quotation mark",
		"code {file}\nrm":       "single line",
		"code {file} " + strings.Repeat("x", 1000): "too long",
	} {
		if err := workspace.CheckEditor(bad); backend.CodeOf(err) != backend.CodeInvalid || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestCheckEditor_CountsCharacters(t *testing.T) {
	noErr(t, workspace.CheckEditor("code {file} "+strings.Repeat("ü", 900)))
}

func TestFileManager_ShowsFoldersOnly(t *testing.T) {
	manager, wrote := newRecordingProgram(t, "manager")
	folder, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	o := workspace.EditorTarget{Folder: folder, Env: os.Environ(), LookUp: func(string) string { return manager }}
	noErr(t, workspace.OpenFolder(t.Context(), folder, o))
	if got := readWhenWritten(t, wrote); got[len(got)-1] != folder {
		t.Errorf("it was started with %q", got)
	}
	file := filepath.Join(folder, "file.desktop")
	noErr(t, os.WriteFile(file, nil, 0o700))
	if err := workspace.OpenFolder(t.Context(), file, o); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a file: %v", err)
	}
	o.LookUp = lookPathIn(nil)
	if err := workspace.OpenFolder(t.Context(), folder, o); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("without a file manager: %v", err)
	}
}
