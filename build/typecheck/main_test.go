package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// other returns an operating system other than that of this computer.
func other() string {
	if runtime.GOOS == "windows" {
		return "darwin"
	}
	return "windows"
}

func TestCheck_FindsErrorsForAnotherSystem(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Clean(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/m\n\ngo 1.26\n")
	write("m.go", "package m\n\nfunc size() int { return sizeHere() }\n")
	write("m_"+runtime.GOOS+".go", "package m\n\nfunc sizeHere() int { return 1 }\n")
	write("m_"+other()+".go", "package m\n\nfunc sizeHere() int { return \"one\" }\n")
	if err := check(runtime.GOOS); err != nil {
		t.Errorf("of the good system: %v", err)
	}
	err := check(other())
	if err == nil || !strings.Contains(err.Error(), "m_"+other()+".go:3:30") {
		t.Errorf("of the system with an error: %v", err)
	}
	write("m_"+other()+".go", "package m\n\nfunc sizeHere() int { return 1 }\n")
	write("m_"+other()+"_test.go", "package m\n\nvar text string = size()\n")
	if err := check(other()); err == nil || !strings.Contains(err.Error(), "_test.go:3:19") || strings.Contains(err.Error(), "\n") {
		t.Errorf("of a test with an error: %v", err)
	}
	if err := os.Remove("m_" + other() + "_test.go"); err != nil {
		t.Fatal(err)
	}
	if err := check(other()); err != nil {
		t.Errorf("without errors: %v", err)
	}
}

func TestCheck_NothingToCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "")
	if err := os.WriteFile("go.mod", []byte("module example.org/m\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := check(runtime.GOOS); err == nil {
		t.Error("a module without packages passes")
	}
}
