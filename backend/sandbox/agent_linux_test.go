package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// agent is a shell that runs in a sandbox in place of an agent. It executes the lines that it reads from its stdin.
type agent struct {
	*Agent
	w     *computer
	in    interface{ Write([]byte) (int, error) }
	out   *bufio.Reader
	cmd   *exec.Cmd
	ended chan struct{}
}

const agentToken = "canary-of-the-agent-1618033988"

func (w *computer) agent(p AgentPolicy) *agent {
	w.t.Helper()
	a := &agent{w: w, ended: make(chan struct{})}
	p.Folder, p.Caches = w.folder, w.policy.Caches
	p.Hidden, p.Home = w.policy.Hidden[:len(w.policy.Hidden)-1], append(p.Home, filepath.Join(w.home, ".copilot"))
	p.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "AGENT_TOKEN=" + agentToken, "SSH_AUTH_SOCK=/x"}
	var err error
	bash := program(os.Getenv("PATH"), "", "bash")
	if a.Agent, err = w.s.Agent(w.t.Context(), p, bash, []string{"-c", `while read -r line; do eval "$line" 2>&1; code=$?; echo; echo "=== $code"; done`}, func() { close(a.ended) }); err != nil {
		w.t.Fatal(err)
	}
	a.cmd = exec.CommandContext(w.t.Context(), a.Path, a.Args...)
	a.cmd.Dir, a.cmd.Env, a.cmd.Stderr = w.folder, a.Env, os.Stderr
	in, err := a.cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := a.cmd.StdoutPipe()
	if err == nil {
		err = a.cmd.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	a.in, a.out = in, bufio.NewReader(out)
	w.t.Cleanup(func() {
		_ = in.Close()
		_ = a.cmd.Wait()
		w.wait(a.ended)
	})
	return a
}

// run executes a shell line in the agent's process and returns its output.
func (a *agent) run(line string) string {
	a.w.t.Helper()
	if _, err := fmt.Fprintln(a.in, line); err != nil {
		a.w.t.Fatal(err)
	}
	var out strings.Builder
	for {
		text, err := a.out.ReadString('\n')
		if strings.HasPrefix(text, "=== ") {
			return strings.TrimSuffix(out.String(), "\n") + text
		}
		if out.WriteString(text); err != nil {
			a.w.t.Fatalf("%v: %s", err, out.String())
		}
	}
}

// command runs a command on behalf of the agent, in the command's own sandbox.
func (a *agent) command(command string) string {
	a.w.t.Helper()
	p := a.w.policy
	p.In = a.Agent
	ended := make(chan struct{})
	r, err := a.w.s.Command(a.w.t.Context(), p, command, func() { close(ended) })
	if err != nil {
		a.w.t.Fatal(err)
	}
	out := a.run("( " + r.Shell + " )")
	a.w.wait(ended)
	return out
}

func TestAgent_KeepsTokenFromCommands(t *testing.T) {
	w := newComputer(t)
	a := w.agent(AgentPolicy{})
	if out := a.run(`echo $AGENT_TOKEN $SSH_AUTH_SOCK.; cat ~/.copilot/config.json; echo x > ~/.copilot/new; echo x > main.go`); !strings.HasPrefix(out, agentToken+" .\n"+secret) || !exists(filepath.Join(w.home, ".copilot/new")) {
		t.Errorf("got %q, want the token and the agent's own files", out)
	}
	if out := a.run(`cat ~/.ssh/* ~/.npmrc ` + w.data + `/*; echo x > ~/.bashrc; ls /run/user /tmp`); strings.Contains(out, secret) {
		t.Errorf("the agent read a secret: %s", out)
	}
	out := a.command(`cat /proc/[0-9]*/environ; for p in /proc/[0-9]*; do cat $p/task/*/environ; dd if=$p/mem bs=1 count=1; ls $p/fd $p/cwd/; cat $p/root` + w.home + `/.copilot/*; done; env; ps eaxww; cat ~/.copilot/*; kill -9 -1; gdb -p 1 --batch`)
	if strings.Contains(out, agentToken) || strings.Contains(out, secret) {
		t.Errorf("a command read the token: %s", out)
	}
	if out := a.command("echo x > in-folder; echo y > .mcp.json; cat /proc/self/status | grep -c CapEff.*0000000000000000; echo ok > /tmp/t; cat /tmp/t"); !strings.Contains(out, "Read-only") || !strings.Contains(out, "1\nok\n=== 0") {
		t.Errorf("got %q", out)
	}
	if out := a.run("echo still here"); out != "still here\n=== 0\n" {
		t.Errorf("got %q: the command killed the agent", out)
	}
	if !exists(filepath.Join(w.folder, "in-folder")) {
		t.Error("the command wrote nothing")
	}
}

func TestAgent_MasksRepository(t *testing.T) {
	w := newComputer(t)
	for name, text := range map[string]string{".github/hooks/x.json": "hook", ".claude/settings.json": "settings"} {
		file := filepath.Join(w.folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.git("add", "-A")
	w.git("commit", "-qm", "Two")
	w.git("config", "core.fsmonitor", "touch "+w.folder+"/fired; false")
	w.git("config", "diff.external", "touch "+w.folder+"/fired; false")
	w.git("config", "diff.x.textconv", "touch "+w.folder+"/fired; cat")
	a := w.agent(AgentPolicy{NoGitPrograms: true, Mask: []string{filepath.Join(w.folder, ".github/hooks"), filepath.Join(w.folder, ".claude/settings.json"), filepath.Join(w.folder, ".mcp.json"), filepath.Join(w.folder, "missing")}})
	if out := a.run("cat .github/hooks/* .claude/settings.json .mcp.json"); strings.Contains(out, "hook\n") || strings.Contains(out, "settings\n") || strings.Contains(out, "{}") {
		t.Errorf("the agent sees %q", out)
	}
	if out := a.run("mv .github g; rm -rf .github/hooks; rm .mcp.json; mv .claude c"); !strings.Contains(out, "busy") {
		t.Errorf("got %q", out)
	}
	if out := a.command("cat .github/hooks/x.json .claude/settings.json .mcp.json; echo; git -c core.fsmonitor=false status --porcelain"); out != "hooksettings{}\n\n=== 0\n" {
		t.Errorf("a command sees %q, want the files and no changes", out)
	}
	a.run("echo y > main.go; echo '* diff=x' > .git/info/attributes")
	if out := a.run("git diff main.go; git status --short main.go"); !strings.Contains(out, "+y") || exists(filepath.Join(w.folder, "fired")) {
		t.Errorf("git ran a program of the repository, or didn't work: %s", out)
	}
}

// TestAgent_MaskedFilesAreUnchanged checks that git reports none of the masked and hidden files as changed, for an
// agent whose commands run in the agent's own sandbox.
func TestAgent_MaskedFilesAreUnchanged(t *testing.T) {
	w := newComputer(t)
	a := w.agent(AgentPolicy{NoGitPrograms: true, KeepSizes: true, Mask: []string{filepath.Join(w.folder, ".mcp.json"), filepath.Join(w.folder, ".github/workflows/ci.yml")}})
	if out := a.run("cat .mcp.json .github/workflows/ci.yml | tr -d '\\n' | wc -c; git status --porcelain; git diff HEAD; git add -A; git -c user.name=a -c user.email=a@b commit -qm None || echo nothing"); !strings.HasPrefix(out, "0\n") || !strings.HasSuffix(out, "nothing\n=== 0\n") || strings.Contains(out, "mcp") {
		t.Errorf("got %q, want no text and no changes", out)
	}
	if out := a.run("echo x > .mcp.json; git checkout -q HEAD~0 -- main.go; echo y >> main.go; git status --porcelain"); !strings.Contains(out, " M main.go\n") || strings.Contains(out, "M .mcp.json") {
		t.Errorf("got %q", out)
	}
	if text, err := os.ReadFile(filepath.Join(w.folder, ".mcp.json")); err != nil || string(text) != "{}\n" {
		t.Errorf("got %q, %v in the masked file", text, err)
	}
}

func TestGit_WorksInWorktree(t *testing.T) {
	w := newComputer(t)
	tree := filepath.Join(w.home, "tree")
	w.git("worktree", "add", "-q", "-b", "side", tree)
	common := filepath.Join(w.folder, ".git")
	protect := append(trust.GitPlaces(common), filepath.Join(tree, ".git"))
	p := w.policy
	p.Folder, p.Write, p.Protected = tree, []string{common}, protect
	out, code := w.run(p, `cd `+tree+` && echo x > new && git add new && git -c user.name=a -c user.email=a@b commit -qm Three && git log --oneline | wc -l; for f in .git `+strings.Join(protect, " ")+`; do echo x >> $f; rm -f $f; mkdir -p $f/x; done 2>/dev/null; mv `+w.folder+`/.git/config x; git status --porcelain; git branch`)
	if code != 0 || !strings.HasPrefix(out, "2\n") || !strings.Contains(out, "* side") {
		t.Errorf("got exit code %d: %s", code, out)
	}
	if text := w.git("config", "--get-regexp", "core.bare"); text != "core.bare false\n" || exists(filepath.Join(w.folder, ".git/commondir")) {
		t.Errorf("got %q, or a mount point is left", text)
	}
}

func TestCaches_HaveSettingsWithoutSecrets(t *testing.T) {
	w := newComputer(t)
	out, code := w.run(w.policy, `cat $npm_config_userconfig $PIP_CONFIG_FILE $CARGO_HOME/config.toml; echo x >> $npm_config_userconfig; touch $GOCACHE/x $CARGO_HOME/x $npm_config_cache/x; rm -rf $CARGO_HOME/config.toml; ln -s `+w.outside+`/file $CARGO_HOME/config.toml; rm -rf $GOCACHE; ln -s `+w.outside+` $GOCACHE`)
	if code != 0 || !strings.Contains(out, "registry=https://npm.example/") || !strings.Contains(out, "timeout = 7") || !strings.Contains(out, "retry = 3") || strings.Contains(out, secret) || strings.Contains(out, "_auth") || !strings.Contains(out, "Read-only") {
		t.Errorf("got exit code %d:\n%s", code, out)
	}
	// Links that the previous command left behind don't make VoxPilot write outside the folder.
	out, code = w.run(w.policy, `cat $CARGO_HOME/config.toml; touch $GOCACHE/y`)
	if code != 0 || !strings.Contains(out, "retry = 3") || exists(filepath.Join(w.outside, "y")) {
		t.Errorf("got exit code %d:\n%s", code, out)
	}
	if text, _ := os.ReadFile(filepath.Join(w.outside, "file")); string(text) != "outside\n" {
		t.Errorf("got %q outside", text)
	}
}

func TestEnv_DropsSecretsAndSessions(t *testing.T) {
	env := []string{
		"PATH=/bin", "HOME=/h", "NODE_PATH=/n", "LD_LIBRARY_PATH=/l", "GIT_AUTHOR_NAME=me", "GH_PAT=a", "NPM_CONFIG__AUTH=a", "GITHUB_TOKEN=a", "AWS_SECRET_ACCESS_KEY=a", "MY_API_KEY=a", "DB_PASSWORD=a", "X=value-of-secret-1", "SSH_AUTH_SOCK=/x", "DBUS_SESSION_BUS_ADDRESS=x", "DISPLAY=:0",
		"HTTPS_PROXY=http://u:p@proxy", "GOPROXY=https://proxy", "KEYBOARD=de", "AUTHOR=me", "BASH_FUNC_x%%=() { :; }", "BASH_ENV=/x",
	}
	isSecret := func(value string) bool { return strings.Contains(value, "secret-1") }
	got := strings.Join(filterEnv(env, isSecret, false), " ")
	if want := "PATH=/bin HOME=/h NODE_PATH=/n LD_LIBRARY_PATH=/l GIT_AUTHOR_NAME=me GOPROXY=https://proxy KEYBOARD=de AUTHOR=me BASH_FUNC_x%%=() { :; }"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := strings.Join(filterEnv(env, isSecret, true), " "); !strings.Contains(got, "GITHUB_TOKEN=a") || strings.Contains(got, "value-of-secret") || strings.Contains(got, "DISPLAY") {
		t.Errorf("got %s", got)
	}
}

func TestCheck_IsReady(t *testing.T) {
	w := newComputer(t)
	status := w.s.Check(t.Context())
	if status.State != backend.SandboxReady || !strings.HasPrefix(status.Program, "bubblewrap ") || len(status.Limits) < 2 || len(status.Hidden) == 0 {
		t.Errorf("got %+v", status)
	}
	if left, _ := filepath.Glob(filepath.Join(w.data, "sandbox", "*", "*")); len(left) > 2 { // the temporary folder and the run's folder
		t.Errorf("left %v", left)
	}
	w.s.cfg.Path = w.outside
	if status := w.s.Check(t.Context()); status.State == backend.SandboxReady || status.Problem.IsZero() {
		t.Errorf("got %+v without bubblewrap", status)
	}
}
