package hostile_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/internal/hostile"
)

// fill creates the original files that are copied for each line: a project and files outside it.
func (p *project) fill(t *testing.T) {
	t.Helper()
	for _, dir := range []string{"home/me/.ssh", "home/me/.config/go/telemetry", "etc", "code/app/vendor/evil"} {
		noErr(t, os.MkdirAll(filepath.Join(p.template, dir), 0o755))
	}
	for name, text := range map[string]string{
		"etc/passwd": "root:x:0:0::/home/me:/bin/bash\nx:x:1:1::/:/bin/false\n", "etc/nsswitch.conf": "passwd: db\ngroup: db\n", "etc/x": "id\n", "etc/x.js": canaryJS,
		"home/me/.bashrc": "id\n", "home/me/.ssh/id": "secret\n", "home/me/x": "x\n",
		"code/app/a.go": "package app\n", "code/app/b.go": "package app // a\n", "code/app/main.go": "package app\n", "code/app/go.mod": "module example.org/app\n\ngo 1.21\n",
		"code/app/a_test.go": "package app\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n\nfunc FuzzX(f *testing.F) { f.Fuzz(func(*testing.T, int) {}) }\n",
		"code/app/src/s.go":  "package src\n", "code/app/src/s_test.go": "package src\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n", "code/app/src/index.ts": "let x = 1\n",
		"code/app/package.json": packageJSON("true"), "code/app/README.md": "id\nx\n", "code/app/manage.py": "print(1)\n", "code/app/x.js": canaryJS, "code/app/x.py": canaryPython,
		"code/app/x.mk": "all:\n\tid\n", "code/app/x.awk": "BEGIN { system(\"id\") }\n", "code/app/x.sed": "1e id\n", "code/app/x.list": "/etc/passwd", "code/app/x.curl": "url = file:///etc/passwd\n",
		"code/app/Makefile":                 "-include inc.mk\nCC = true\nall build test:\n\t$(CC) x\n\n.PHONY: all build test\n",
		"code/app/vendor/evil/x.go":         "package evil\n",
		"code/app/vendor/evil/package.json": packageJSON("id"), "code/app/vendor/evil/Makefile": "all:\n\tid\n",
		"code/other/package.json": packageJSON("id"), "code/other/Makefile": "all:\n\tid\n", "code/other/go.mod": "module example.org/other\n\ngo 1.21\n", "code/other/o.go": "package other\n",
		"code/other/inc.mk": "X = 1\n", "code/other/secret": "secret\nx\n", "code/secret": "secret\n", "code/other/deep/file": "secret\n",
	} {
		file := filepath.Join(p.template, name)
		noErr(t, os.MkdirAll(filepath.Dir(file), 0o755))
		noErr(t, os.WriteFile(file, []byte(text), 0o644)) //nolint:gosec // read by the tested programs
	}
	for _, name := range []string{"code/app/x", "code/app/evil", "code/app/git-x"} {
		noErr(t, os.WriteFile(filepath.Join(p.template, name), []byte(canary), 0o755)) //nolint:gosec // must be executable
	}
	for link, to := range map[string]string{"out": "../other", "deep": "../other/deep", "secret.txt": "../other/secret", "in": "src"} {
		noErr(t, os.Symlink(to, filepath.Join(p.template, "code/app", link)))
	}
	noErr(t, exec.Command("tar", "-C", p.template, "-cPf", filepath.Join(p.template, "y"), "--transform=s,^home,/home,", "home/me/x").Run())
	noErr(t, os.Rename(filepath.Join(p.template, "y"), filepath.Join(p.template, "code/app/y")))
	copyFile(t, filepath.Join(p.template, "code/app/y"), filepath.Join(p.template, "code/other/y"))
	noErr(t, exec.Command("tar", "-C", filepath.Join(p.template, "code/app"), "-czf", filepath.Join(p.template, "code/app/src/a.tgz"), "a.go").Run())
	for _, dir := range []string{"code/other", "code/app"} {
		for _, args := range [][]string{{"init", "-q", "-b", "main", "--template="}, {"add", "-A"}, {"commit", "-qm", "a"}, {"branch", "old"}} {
			git(t, filepath.Join(p.template, dir), args...)
		}
	}
	app, evil := filepath.Join(p.template, "code/app"), filepath.Join(p.template, "code/app/vendor/evil")
	noErr(t, os.WriteFile(filepath.Join(app, "b.go"), []byte("package app // b\n"), 0o644)) //nolint:gosec // read by the tested programs
	git(t, app, "commit", "-qam", "x")
	git(t, app, "remote", "add", "origin", "https://a.org/x")
	git(t, app, "remote", "add", "local", "/code/other")
	git(t, evil, "init", "-q", "--template=")
	git(t, evil, "config", "core.fsmonitor", "/code/app/x")
}

// packageJSON returns a package.json in which every script runs the same command.
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
