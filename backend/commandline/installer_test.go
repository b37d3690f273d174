package commandline

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// windowsArgument returns the second argument of a command line as Windows parses it: a quote
// after an odd number of backslashes is literal.
func windowsArgument(line string) string {
	var args []string
	var b strings.Builder
	quoted, slashes := false, 0
	for _, c := range line {
		if c == '\\' {
			slashes++
			continue
		}
		if c == '"' {
			b.WriteString(strings.Repeat(`\`, slashes/2))
			if slashes%2 == 1 {
				b.WriteByte('"')
			} else {
				quoted = !quoted
			}
			slashes = 0
			continue
		}
		b.WriteString(strings.Repeat(`\`, slashes))
		slashes = 0
		if c == ' ' && !quoted {
			args = append(args, b.String())
			b.Reset()
			continue
		}
		b.WriteRune(c)
	}
	args = append(args, b.String()+strings.Repeat(`\`, slashes))
	return args[1]
}

// TestExplorer_OpensDrives checks that the commands in Explorer's context menu also open drives. Explorer replaces %V
// with the folder's path, which ends with a backslash for a drive.
func TestExplorer_OpensDrives(t *testing.T) {
	script, err := os.ReadFile("../../build/package/windows/installer.nsi")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`'("\$INSTDIR\\voxpilot\.exe" .*%V.*)'`).FindAllStringSubmatch(string(script), -1)
	if len(lines) != 2 {
		t.Fatalf("got %d commands with a folder, want 2", len(lines))
	}
	for _, line := range lines {
		for folder, want := range map[string]string{`C:\`: `C:\\.`, `C:\a b`: `C:\a b\.`} {
			if got := windowsArgument(strings.ReplaceAll(line[1], "%V", folder)); got != want {
				t.Errorf("%s for %s: got the folder %s, want %s", line[1], folder, got, want)
			}
		}
	}
	// The command that older installations registered.
	if got := cleanFolder(windowsArgument(`"C:\VoxPilot\voxpilot.exe" "C:\"`), true); got != `C:\` {
		t.Errorf(`got %s, want C:\`, got)
	}
	if got := cleanFolder(`/a"`, false); got != `/a"` {
		t.Errorf(`got %s on other systems, want /a"`, got)
	}
}
