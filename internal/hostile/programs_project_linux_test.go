package hostile_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/internal/hostile"
)

// fill makes what is copied for each line: a project, and what is outside of it.
func (p *project) fill(t *testing.T) {
	t.Helper()
	for _, dir := range []string{"home/me/.ssh", "home/me/.config/go/telemetry", "etc", "work/app/vendor/evil"} {
		must(t, os.MkdirAll(filepath.Join(p.kept, dir), 0o755))
	}
	for name, text := range map[string]string{
		"etc/passwd": "root:x:0:0::/home/me:/bin/bash\nx:x:1:1::/:/bin/false\n", "etc/nsswitch.conf": "passwd: db\ngroup: db\n", "etc/x": "id\n", "etc/x.js": canaryJS,
		"home/me/.bashrc": "id\n", "home/me/.ssh/id": "secret\n", "home/me/x": "x\n",
		"work/app/a.go": "package app\n", "work/app/b.go": "package app // a\n", "work/app/main.go": "package app\n", "work/app/go.mod": "module example.org/app\n\ngo 1.21\n",
		"work/app/a_test.go": "package app\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n\nfunc FuzzX(f *testing.F) { f.Fuzz(func(*testing.T, int) {}) }\n",
		"work/app/src/s.go":  "package src\n", "work/app/src/s_test.go": "package src\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n", "work/app/src/index.ts": "let x = 1\n",
		"work/app/package.json": packageJSON("true"), "work/app/README.md": "id\nx\n", "work/app/manage.py": "print(1)\n", "work/app/x.js": canaryJS, "work/app/x.py": canaryPython,
		"work/app/x.mk": "all:\n\tid\n", "work/app/x.awk": "BEGIN { system(\"id\") }\n", "work/app/x.sed": "1e id\n", "work/app/x.list": "/etc/passwd", "work/app/x.curl": "url = file:///etc/passwd\n",
		"work/app/Makefile":                 "-include inc.mk\nCC = true\nall build test:\n\t$(CC) x\n\n.PHONY: all build test\n",
		"work/app/vendor/evil/x.go":         "package evil\n",
		"work/app/vendor/evil/package.json": packageJSON("id"), "work/app/vendor/evil/Makefile": "all:\n\tid\n",
		"work/other/package.json": packageJSON("id"), "work/other/Makefile": "all:\n\tid\n", "work/other/go.mod": "module example.org/other\n\ngo 1.21\n", "work/other/o.go": "package other\n",
		"work/other/inc.mk": "X = 1\n", "work/other/secret": "secret\nx\n", "work/secret": "secret\n", "work/other/deep/file": "secret\n",
	} {
		file := filepath.Join(p.kept, name)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o644)) //nolint:gosec // the programs read it
	}
	for _, name := range []string{"work/app/x", "work/app/evil", "work/app/git-x"} {
		must(t, os.WriteFile(filepath.Join(p.kept, name), []byte(canary), 0o755)) //nolint:gosec // a program
	}
	for link, to := range map[string]string{"out": "../other", "deep": "../other/deep", "secret.txt": "../other/secret", "in": "src"} {
		must(t, os.Symlink(to, filepath.Join(p.kept, "work/app", link)))
	}
	must(t, exec.Command("tar", "-C", p.kept, "-cPf", filepath.Join(p.kept, "y"), "--transform=s,^home,/home,", "home/me/x").Run())
	must(t, os.Rename(filepath.Join(p.kept, "y"), filepath.Join(p.kept, "work/app/y")))
	copyFile(t, filepath.Join(p.kept, "work/app/y"), filepath.Join(p.kept, "work/other/y"))
	must(t, exec.Command("tar", "-C", filepath.Join(p.kept, "work/app"), "-czf", filepath.Join(p.kept, "work/app/src/a.tgz"), "a.go").Run())
	for _, dir := range []string{"work/other", "work/app"} {
		for _, args := range [][]string{{"init", "-q", "-b", "main", "--template="}, {"add", "-A"}, {"commit", "-qm", "a"}, {"branch", "old"}} {
			git(t, filepath.Join(p.kept, dir), args...)
		}
	}
	app, evil := filepath.Join(p.kept, "work/app"), filepath.Join(p.kept, "work/app/vendor/evil")
	must(t, os.WriteFile(filepath.Join(app, "b.go"), []byte("package app // b\n"), 0o644)) //nolint:gosec // the programs read it
	git(t, app, "commit", "-qam", "x")
	git(t, app, "remote", "add", "origin", "https://a.org/x")
	git(t, app, "remote", "add", "local", "/work/other")
	git(t, evil, "init", "-q", "--template=")
	git(t, evil, "config", "core.fsmonitor", "/work/app/x")
}

// packageJSON is a package whose scripts run one command.
func packageJSON(command string) string {
	return fmt.Sprintf(`{"name":"app","version":"1.0.0","scripts":{"test":%[1]q,"build":%[1]q,"lint":%[1]q}}`, command)
}

const (
	canaryJS     = "require('child_process').execFileSync('id')\n"
	canaryPython = "import subprocess\nsubprocess.run(['id'])\n"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, err := hostile.Git(t, dir, args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v %s", args, err, out)
	}
}
