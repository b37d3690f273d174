//go:build unix

package cmdline_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/cmdline"
	"github.com/voxpilot/voxpilot/internal/need"
)

// zshPieces are the building blocks of the lines for the comparison with zsh.
var zshPieces = []string{
	"a", "b", " ", " ", " ", "'", "'", `"`, `"`, `\`, "$", "$X", "`", ";", "&", "|", "<", ">", "(", ")", "{", "}", ",", "..", "~", "#", "!", "=", "-", "--x=", "/", "\t", "\n", "é", "\u00a0",
	":", "@", "^", "%", "+", "git", "/dev/null", "2>", "{a,b}", "$(", "\\\n", "1", "x=", "if", "time", "~+", "$'", "{1..3}", "=git", "<1-2>", "(N)", "@(", "^a", "##", "noglob", "%1", "]", "''", `""`,
}

// TestParse_MatchesZsh checks that if a line is parsed as one command, zsh runs exactly
// that command. internal/hostile compares other shells.
func TestParse_MatchesZsh(t *testing.T) {
	zsh := need.Programs(t, "zsh")
	dir := t.TempDir()
	calls, folder := filepath.Join(dir, "calls"), filepath.Join(dir, "folder")
	stub := "#!/bin/sh\n{ printf run; for a in \"$@\"; do printf '\\037%s' \"$a\"; done; printf '\\036'; } >> '" + calls + "'\n"
	noErr(t, os.Mkdir(folder, 0o700))
	noErr(t, os.Mkdir(filepath.Join(dir, "bin"), 0o700))
	noErr(t, os.WriteFile(filepath.Join(dir, "bin/git"), []byte(stub), 0o700)) //nolint:gosec // must be executable
	random := rand.New(rand.NewPCG(16, 16))                                    //nolint:gosec // reproducible lines
	read := 0
	for read < 200 {
		var b strings.Builder
		b.WriteString("git ")
		for range 1 + random.IntN(7) {
			b.WriteString(zshPieces[random.IntN(len(zshPieces))])
		}
		line := b.String()
		command, err := cmdline.Parse(line)
		if err != nil || command[0].Text != "git" || slices.ContainsFunc(command, func(w cmdline.Word) bool { return w.Glob }) {
			continue
		}
		read++
		want := "run"
		for _, word := range command[1:] {
			want += "\x1f" + word.Text
		}
		noErr(t, os.WriteFile(calls, nil, 0o600))
		cmd := exec.CommandContext(t.Context(), zsh, "-fc", line)
		cmd.Dir, cmd.Env = folder, []string{"PATH=" + filepath.Join(dir, "bin"), "HOME=" + dir}
		out, _ := cmd.CombinedOutput() // zsh may reject the line
		got, err := os.ReadFile(calls)
		noErr(t, err)
		if len(got) > 0 && string(got) != want+"\x1e" {
			t.Errorf("%q is read as %q; zsh runs %q (%s)", line, want, got, out)
		}
		if made, err := os.ReadDir(folder); err != nil || len(made) > 0 {
			t.Fatalf("%q made %v in the folder, %v", line, made, err)
		}
	}
}
