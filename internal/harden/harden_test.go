package harden

import (
	"os"
	"testing"
)

func TestHarden_ExcludesFolderFromCmdPath(t *testing.T) {
	const name = "NoDefaultCurrentDirectoryInExePath"
	t.Setenv(name, "") // restored after the test
	Process("windows", false)
	if got := os.Getenv(name); got != "1" {
		t.Errorf("got %q, want 1", got)
	}
}
