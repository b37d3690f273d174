package trust_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/trust"
)

// diff returns a unified diff of the changed lines.
func diff(before, after string) []byte {
	old, now := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	first := 0
	for first < min(len(old), len(now)) && old[first] == now[first] {
		first++
	}
	old, now = old[first:], now[first:]
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	out := fmt.Appendf(nil, "--- a\n+++ b\n@@ -%d,%d +%d,%d @@\n", first+1, len(old), first+1, len(now))
	return withSign(withSign(out, "-", old), "+", now)
}

func withSign(out []byte, sign string, lines []string) []byte {
	for _, line := range lines {
		out = append(append(out, sign...), line...)
		if !strings.HasSuffix(line, "\n") {
			out = append(out, "\n\\ No newline at end of file\n"...)
		}
	}
	return out
}

// allow registers that the user is about to allow an edit. The parameter texts holds the new texts of the edited
// files, by their names in the repository.
func (a *managerEnv) allow(texts map[string]string) *trust.Edit {
	a.Helper()
	var shown []trust.ShownFile
	for name, text := range texts {
		file := filepath.Join(a.dir, "repo", filepath.FromSlash(name))
		before, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			a.Fatal(err)
		}
		shown = append(shown, trust.ShownFile{Path: file, Diff: diff(string(before), text)})
	}
	return a.manager.ExpectEdit(trust.Starter{ChatID: "one", Folder: filepath.Join(a.dir, "repo"), Agents: trust.Copilot}, shown)
}

// servers returns the content of a file that defines two servers, many lines apart. The parameters are the commands of
// the servers.
func servers(a, b string) string {
	return `{"mcpServers":{` + "\n" + `"a":{"command":"` + a + `"},` + strings.Repeat("\n", 20) + `"b":{"command":"` + b + `"}` + "\n}}\n"
}

const scripted = `{"version":1,
"hooks":{
 "sessionStart":[{"type":"command","bash":"./run.sh"}]
}}
`

func TestManager_AllowedEditCountsAsTrust(t *testing.T) {
	for name, c := range map[string]struct {
		shown, write map[string]string
		remove       string
		asks         bool
	}{
		"a changed hook":                    {shown: map[string]string{hookFile: hook("echo two")}},
		"a new hook":                        {shown: map[string]string{".github/hooks/new.json": hook("echo new")}},
		"a key of git":                      {shown: map[string]string{".git/config": "[core]\n\tfsmonitor = run\n"}},
		"several files":                     {shown: map[string]string{hookFile: hook("echo two"), ".mcp.json": `{"mcpServers":{"a":{"command":"a"}}}`}},
		"a script of a trusted hook":        {shown: map[string]string{".github/hooks/run.sh": "echo one\necho two\n"}},
		"a script with its hook":            {shown: map[string]string{hookFile: scripted, "run.sh": "echo hi\n"}},
		"a hook that runs a trusted script": {shown: map[string]string{hookFile: hook("bash .github/hooks/run.sh")}},
		"a file that is removed":            {shown: map[string]string{hookFile: ""}, remove: hookFile},
		"a hook whose script was not shown": {shown: map[string]string{hookFile: scripted}, write: map[string]string{hookFile: scripted, "run.sh": "echo evil\n"}, asks: true},
		"more than was shown":               {shown: map[string]string{hookFile: hook("echo two")}, write: map[string]string{hookFile: hook("echo two; echo evil")}, asks: true},
		"another line of the file":          {shown: map[string]string{".mcp.json": servers("a2", "b")}, write: map[string]string{".mcp.json": servers("a2", "evil")}, asks: true},
		"another file besides":              {shown: map[string]string{hookFile: hook("echo two")}, write: map[string]string{hookFile: hook("echo two"), ".github/hooks/evil.json": hook("echo evil")}, asks: true},
		"only another file":                 {shown: map[string]string{"README.md": "Hello!"}, write: map[string]string{".github/hooks/evil.json": hook("echo evil")}, asks: true},
	} {
		t.Run(name, func(t *testing.T) {
			a := newManagerEnv(t)
			repo := a.subfolder("repo")
			repo.write(hookFile, hook("echo one"))
			repo.write(".github/hooks/named.json", hook("bash .github/hooks/run.sh"))
			repo.write(".github/hooks/run.sh", "echo one\n")
			repo.write(".mcp.json", servers("a", "b"))
			a.check("one", "repo", true)
			a.trust()
			if a.allow(c.shown) == nil {
				t.Fatal("the edit is not taken")
			}
			write := c.write
			if write == nil {
				write = c.shown
			}
			for file, text := range write {
				repo.write(file, text)
			}
			if c.remove != "" {
				if err := os.Remove(filepath.Join(repo.dir, filepath.FromSlash(c.remove))); err != nil {
					t.Fatal(err)
				}
			}
			a.manager.TakeEdits(t.Context(), "one")
			if a.manager.Edits("one") != (name == "more than was shown" || name == "another line of the file" || name == "only another file") {
				t.Error("got an edit that is waited for wrongly")
			}
			a.restart() // the stored state counts
			a.check("one", "repo", c.asks)
		})
	}
}

// TestManager_NextStartSeesAllowedEdit checks that if the agent crashes before the manager has noticed an allowed edit,
// the manager notices the edit at the next start.
func TestManager_NextStartSeesAllowedEdit(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	a.allow(map[string]string{hookFile: hook("echo hi")})
	repo.write(hookFile, hook("echo hi"))
	a.check("one", "repo", false)
	repo.write(hookFile, hook("echo no"))
	a.check("one", "repo", true) // the edit counts only once
}

func TestManager_UnallowedEditAsks(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	a.manager.CancelEdit(a.allow(map[string]string{hookFile: hook("echo hi")}))
	repo.write(hookFile, hook("echo hi"))
	a.manager.TakeEdits(t.Context(), "one")
	a.check("one", "repo", true)

	by := trust.Starter{ChatID: "one", Folder: repo.dir, Agents: trust.Copilot}
	outside := a.write("outside.json", "{}")
	linked := filepath.Join(repo.dir, "linked.json")
	if err := os.Symlink(outside, linked); err != nil {
		t.Skip(err)
	}
	for _, file := range []string{outside, linked, filepath.Join(repo.dir, "..", "outside.json")} {
		if a.manager.ExpectEdit(by, []trust.ShownFile{{Path: file, Diff: []byte("@@ -1 +1 @@\n-{}\n+[]\n")}}) != nil {
			t.Errorf("got an edit of %s that counts", file)
		}
	}
	if a.manager.ExpectEdit(by, []trust.ShownFile{{Path: filepath.Join(repo.dir, "README.md")}}) != nil {
		t.Error("got an edit that counts though nothing was shown")
	}
}
