package sites

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/internal/hostname"
	"github.com/voxpilot/voxpilot/internal/process"
)

func TestMain(m *testing.M) {
	process.ExecIfRequested()
	goleak.VerifyTestMain(m)
}

// computer simulates a user's computer, with fake package managers.
type computer struct {
	bin, home string
}

func newComputer(t *testing.T) computer {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake tools are shell scripts")
	}
	return computer{t.TempDir(), t.TempDir()}
}

func (c computer) env(vars ...string) []string {
	return append([]string{"PATH=relative:" + c.bin, "HOME=" + c.home}, vars...)
}

// tool adds a program called name to the computer.
func (c computer) tool(t *testing.T, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.bin, name), []byte("#!/bin/sh\nPATH=/usr/bin:/bin\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// file adds a file to the user's home folder.
func (c computer) file(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(c.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func checkSites(t *testing.T, got []Site, want ...string) {
	t.Helper()
	var texts []string
	for _, s := range got {
		texts = append(texts, s.Tool+" "+s.Host)
	}
	if !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
}

// TestFind_GoStartsNoBackgroundProcess checks that the real go command doesn't start its process for telemetry, which
// writes upload.token.
func TestFind_GoStartsNoBackgroundProcess(t *testing.T) {
	c := newComputer(t)
	path, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, filepath.Join(c.bin, "go")); err != nil {
		t.Fatal(err)
	}
	checkSites(t, Find(t.Context(), c.env("GOPROXY=https://proxy.example.test", "GOSUMDB=off")), "Go proxy.example.test")
	var files []string
	if err := fs.WalkDir(os.DirFS(c.home), ".", func(_ string, d fs.DirEntry, err error) error {
		files = append(files, d.Name())
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(files, "telemetry") || slices.Contains(files, "upload.token") {
		t.Errorf("got the files %q, want those of telemetry without upload.token", files)
	}
}

func TestFind_HostsOfAllTools(t *testing.T) {
	c := newComputer(t)
	c.tool(t, "npm", `test "$*" = "config list -l" || exit 1
cat <<'END'
; "default" config from default values
; registry = "https://no0.test/" ; overridden by user
cafile = "https://no1.test/"
registry = "https://me:***@NPM.example.test:8443/path/"
@scope:registry = "http://scope.example.test/"
registryx = "https://no1.test/"
@a:other = "https://no2.test/"
@n:registry = 5
@f:registry = "file:///x"
//npm.example.test/:_authToken = (protected)
noproxy = ["https://no3.test"]
END`)
	c.tool(t, "go", `echo '{"GOPROXY": "https://user:secret@go1.example.test/x,https://go2.example.test|direct,off,file:///x", "GOSUMDB": "sum.example.test+hash+key"}'`)
	c.tool(t, "python3", `case "$*" in
"-m pip config list") cat <<'END'
:env:.extra-index-url='https://pip1.example.test/simple\nhttps://u:secret@pip2.example.test:8080/simple'
global.find-links='/opt/files https://pip3.example.test/links'
global.timeout='https://no4.test'
END
;;
*) printf '%s\n' https://pip.example.test/simple https://files.example.test ;;
esac`)
	c.file(t, ".cargo/config.toml", `# registry = "https://no5.test/"
[source.crates-io]
replace-with = "mirror"
[source.mirror]
registry = "sparse+https://u:secret@cargo1.example.test/index/"
[registries]
own = { index = "https://cargo2.example.test/git" }
[registries.third]
index='sparse+https://cargo3.example.test:81/'
[source.local]
local-registry = "https://no6.test/"
`)
	c.file(t, ".cargo/registry/index/cargo4.example.test-0123456789abcdef/config.json", `{"dl": "https://cargo5.example.test/{crate}", "api": "https://no7.test"}`)
	c.file(t, ".cargo/registry/index/no8.test/config.json", `{"dl": "https://no9.test"}`)
	got := Find(t.Context(), c.env("CARGO_REGISTRIES_MORE_INDEX=sparse+https://cargo6.example.test/"))
	checkSites(t, got,
		"npm npm.example.test:8443", "npm scope.example.test",
		"Go go1.example.test", "Go go2.example.test", "Go sum.example.test",
		"pip files.example.test", "pip pip.example.test", "pip pip1.example.test", "pip pip2.example.test:8080", "pip pip3.example.test",
		"cargo cargo1.example.test", "cargo cargo2.example.test", "cargo cargo3.example.test:81", "cargo cargo4.example.test",
		"cargo cargo5.example.test", "cargo cargo6.example.test")
	if text := fmt.Sprint(got); strings.Contains(text, "secret") {
		t.Errorf("a password is in %s", text)
	}
	for _, site := range got {
		if hostname.Pattern(site.Host) != site.Host {
			t.Errorf("%q is no pattern", site.Host)
		}
	}
}

func TestFind_ConfiguredIndexReplacesDefault(t *testing.T) {
	c := newComputer(t)
	c.tool(t, "go", `echo '{"GOPROXY": "off", "GOSUMDB": "sum.example.test+k https://user:secret@mirror.example.test/sum"}'`)
	c.tool(t, "python3", `case "$*" in
"-m pip config list") echo "global.index-url='https://u:secret@mirror.example.test/simple'" ;;
*) echo https://default.example.test ;;
esac`)
	checkSites(t, Find(t.Context(), c.env()), "Go mirror.example.test", "pip mirror.example.test")
	c.tool(t, "go", `echo '{"GOPROXY": "direct", "GOSUMDB": "off"}'`)
	c.tool(t, "python3", `case "$*" in
"-m pip config list") echo "global.no-index='true'" ;;
*) echo https://default.example.test ;;
esac`)
	checkSites(t, Find(t.Context(), c.env()))
}

func TestFind_MissingAndBrokenTools(t *testing.T) {
	checkSites(t, Find(t.Context(), nil))
	c := newComputer(t)
	checkSites(t, Find(t.Context(), []string{"PATH=" + c.bin, "HOME=" + c.home}))
	c.tool(t, "npm", `echo 'registry = "https://npm.example.test/"'; exit 1`)
	c.tool(t, "go", "yes | head -c 3000000")
	c.tool(t, "python3", "echo not installed >&2; exit 1")
	checkSites(t, Find(t.Context(), c.env()))
	c.tool(t, "npm", `printf '%s\n' 'registry = "https://2130706433/"' '@a:registry = "https:///x"' '@b:registry = "https://a b/"' '@c:registry = "'`)
	c.tool(t, "go", `echo '{"GOPROXY": "https://a@,https://[::1", "GOSUMDB": "word"}'`)
	checkSites(t, Find(t.Context(), c.env()))
}

// TestFind_StopsSlowTools checks that a tool that never ends is stopped together with its child processes, and that it
// delays the results of the other tools only up to the time limit.
func TestFind_StopsSlowTools(t *testing.T) {
	c := newComputer(t)
	pipe := filepath.Join(c.home, "started")
	c.tool(t, "npm", "sleep 600 & echo $! > "+pipe+"; wait")
	c.tool(t, "go", `echo '{"GOPROXY": "https://go.example.test", "GOSUMDB": "off"}'`)
	defer func(old time.Duration) { toolTime = old }(toolTime)
	toolTime = 2 * time.Second
	checkSites(t, Find(t.Context(), c.env()), "Go go.example.test")
	pid, err := os.ReadFile(pipe)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; {
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the tool's child is still running")
		}
	}
}

// TestFind_FolderHasNoEffect checks that settings in the parent folders of the temporary folder, and in the working
// directory, have no effect.
func TestFind_FolderHasNoEffect(t *testing.T) {
	c := newComputer(t)
	chat := t.TempDir()
	t.Setenv("TMPDIR", chat)
	t.Chdir(chat)
	for name, text := range map[string]string{
		".npmrc": "registry=https://evil.test/\n", "package.json": `{"name": "a"}`, "pip.conf": "[global]\nindex-url = https://evil.test/\n",
		"go.mod": "module evil\n\ngo 1.99.0\ntoolchain go1.99.0\n", "go.work": "go 1.99.0\n", "pip.py": "print('https://evil.test')\n",
		".cargo/config.toml": "[registries]\na = { index = 'https://evil.test' }\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(chat, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(chat, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.file(t, ".npmrc", "registry=https://user:secret@npm.example.test/\n")
	got := Find(t.Context(), []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "GOPROXY=https://go.example.test"})
	for _, site := range got {
		if site.Host == "evil.test" {
			t.Errorf("got %v", got)
		}
	}
	for _, want := range []Site{{"npm.example.test", "npm"}, {"go.example.test", "Go"}} {
		if !slices.Contains(got, want) {
			t.Errorf("got %v, want %v in it", got, want)
		}
	}
}

// TestFind_RealTools checks that the tools installed on this computer return hosts and leave no files behind. Any hosts
// will do.
func TestFind_RealTools(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	got := Find(t.Context(), os.Environ())
	if len(got) == 0 {
		t.Error("got no site, want those of Go at least")
	}
	for _, site := range got {
		if hostname.Pattern(site.Host) != site.Host || strings.Contains(site.Host, "*") {
			t.Errorf("%s: got %q, want a host", site.Tool, site.Host)
		}
	}
	entries, err := filepath.Glob(filepath.Join(temp, "voxpilot-sites-*"))
	if err != nil || len(entries) > 0 {
		t.Errorf("left %v, %v", entries, err)
	}
}
