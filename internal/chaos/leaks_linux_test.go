package chaos_test

import (
	"crypto/rand"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/copilottest"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

// githubVar is the environment variable with the base URL that an app started by a test
// uses instead of GitHub's.
const githubVar = "VOXPILOT_CHAOS_GITHUB"

func init() {
	if url := os.Getenv(githubVar); url != "" {
		engine.GitHubBase = func(string) (web, api string) { return url, url + "/api/v3" }
	}
}

// secretSet holds secrets that occur nowhere but in this test.
type secretSet struct{ code, renewal, pasted, key string }

// TestToken_LeaksNowhere checks that no secret leaks: it runs the whole app with the real Copilot CLI, uses every
// sign-in method that gives VoxPilot a token, and triggers every failure that could leak a secret. During and after
// this, it searches for the secrets in every place where programs leave data. TestLeakSearch_FindsEveryFormAndPlace
// checks that the search works.
func TestToken_LeaksNowhere(t *testing.T) {
	program := copilottest.Path(t)
	secrets := secretSet{
		code: "ghu_" + rand.Text() + rand.Text()[:10], renewal: "ghr_fake",
		pasted: "github_pat_" + rand.Text()[:22] + "_" + rand.Text() + rand.Text(),
		key:    "sk-" + rand.Text() + rand.Text(),
	}
	u := newLeakScenario(t, secrets)

	l := u.start(program)
	u.signInByCode(l)
	chat := l.newChat()
	u.runPrintingCommand(l, chat.ID)
	u.promptAndWait(l, chat.ID, "edit the file", backend.TurnDone)
	u.promptAndWait(l, chat.ID, "fail", backend.TurnFailed)
	u.pasteToken(l)
	u.promptAndWait(l, chat.ID, "hello", backend.TurnDone)
	u.runPrintingCommand(l, chat.ID)
	u.runCrashingAgent(l, program)
	u.loseToken(l, chat.ID)
	u.useCustomModel(l)
	l.call(nil, "SaveProtocol", chat.ID)
	l.waitForEvent(0, "the protocol is written", func(e backend.Event) bool { return e.DialogResult != nil && e.DialogResult.Path != "" })
	for _, secret := range []string{secrets.code, secrets.pasted, secrets.key} {
		l.call(nil, "Log", "error", "a page that prints "+secret)
	}
	u.searchRunning(l, "at the end")
	l.quit()
	u.searchFiles("after the end", l)

	// Go's crash report contains the stacks of all goroutines, including those of a check and an agent.
	l = u.start(program)
	u.pasteToken(l)
	u.promptAndWait(l, chat.ID, "hello again", backend.TurnDone)
	if err := l.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	<-l.ended
	_ = l.cmd.Wait() // its exit status is known
	if !strings.Contains(l.words.String(), "goroutine ") {
		t.Error("the crash left no report")
	}
	u.searchFiles("after a crash", l)
	u.waitForAllExits(time.Now())

	l = u.start(program)
	u.pasteToken(l) // without a keychain the previous one is lost
	l.call(nil, "SignOut")
	u.waitForAccount(l, 0, backend.AccountSignedOut)
	l.quit()
	u.searchFiles("after the sign-out", l)
}

// leakScenario simulates a user and searches for that user's secrets.
type leakScenario struct {
	*appData
	secretSet
	userDir string // all of the user's files
	github  *fakegithub.Server
	model   *practice.Server
	search  *search
}

func newLeakScenario(t *testing.T, secrets secretSet) *leakScenario {
	t.Helper()
	u := &leakScenario{appData: newAppData(t), secretSet: secrets, userDir: t.TempDir()}
	u.search = newSearch(t, map[string]string{
		"the token by code": secrets.code, "the pasted token": secrets.pasted, "the model's key": secrets.key,
	})
	u.search.needles = append(u.search.needles, needle{"the token that renews", "as it is", []byte(secrets.renewal)})
	var err error
	if u.github, err = fakegithub.Start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	u.github.Codes(time.Second, time.Minute)
	t.Cleanup(func() {
		if err := u.github.Close(); err != nil {
			t.Error(err)
		}
	})
	if u.model, err = practice.New(practice.Func(u.reply)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.model.Close)
	u.env = append(u.model.Env(u.home), "VOXPILOT_DEBUG=acp", "GOTRACEBACK=all", githubVar+"="+u.github.URL)
	for name, dir := range map[string]string{
		"HOME": "home", "TMPDIR": "tmp", "XDG_CONFIG_HOME": "home/.config", "XDG_DATA_HOME": "home/.local/share",
		"XDG_STATE_HOME": "home/.local/state", "XDG_CACHE_HOME": "home/.cache",
	} {
		path := filepath.Join(u.userDir, dir)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		u.env = append(u.env, name+"="+path)
	}
	if os.Getenv("VOXPILOT_DESKTOP") != "private" { // the keychain belongs to a real user
		u.env = append(u.env, "DBUS_SESSION_BUS_ADDRESS=unix:path="+filepath.Join(u.userDir, "none"))
	}
	return u
}

// printing is a shell command that prints its own environment and then waits until the
// test creates the file "go".
const printing = `env; env | base64 -w0; tr '\0' '\n' </proc/self/environ; ` +
	`: >started; while [ ! -e go ]; do sleep 0.05; done; rm -f started go`

// reply returns the model's reply to a request.
func (u *leakScenario) reply(req practice.Request) practice.Reply {
	last := req.Last()
	switch {
	case req.Side():
		return practice.Reply{practice.Text("ok")}
	case last.Role == "tool":
		return practice.Reply{practice.Text("It says: " + last.Text)}
	case strings.Contains(req.User(), "print all"):
		return practice.Reply{practice.ToolCall("bash", map[string]any{"command": printing, "description": "Print", "initial_wait": 120})}
	case strings.Contains(req.User(), "edit the file"):
		return practice.Reply{practice.ToolCall("create", map[string]any{"path": filepath.Join(req.Cwd(), "new.txt"), "file_text": "new\n"})}
	case strings.HasSuffix(strings.TrimSpace(req.User()), "fail"):
		return practice.Reply{practice.HTTPError(http.StatusUnauthorized, `{"error":{"message":"no such key"}}`)}
	}
	return practice.Reply{practice.Text("And on.")}
}

func (u *leakScenario) start(program string) *appProcess {
	u.t.Helper()
	l := u.appData.start(program)
	l.waitForOpen()
	u.waitForAccount(l, 0, "")
	settings := backend.DefaultSettings()
	settings.ClientID, settings.Attempts = fakegithub.ClientID, 1
	l.call(nil, "SaveSettings", settings)
	return l
}

// waitForAccount waits until the account is in the given state; "" means any known state. Only events with
// an index ≥ from count.
func (u *leakScenario) waitForAccount(l *appProcess, from int, state backend.AccountState) {
	u.t.Helper()
	l.waitForEvent(from, "the account is "+string(state), func(e backend.Event) bool {
		return e.Account != nil && (e.Account.State == state || state == "" && e.Account.State != backend.AccountUnknown)
	})
}

func (u *leakScenario) signInByCode(l *appProcess) {
	u.t.Helper()
	from := l.eventCount()
	l.call(nil, "SignIn")
	l.waitForEvent(from, "there is a code", func(e backend.Event) bool { return e.SignIn != nil && e.SignIn.Code != "" })
	if err := u.github.Approve(fakegithub.Approval{User: fakegithub.User{Login: "octocat"}, Token: u.code, ExpiresIn: 28800}); err != nil {
		u.t.Fatal(err)
	}
	u.waitForAccount(l, from, backend.AccountValid)
	u.searchRunning(l, "after the sign-in by code")
}

func (u *leakScenario) pasteToken(l *appProcess) {
	u.t.Helper()
	u.github.Grant(u.pasted, fakegithub.User{Login: "hubot"})
	from := l.eventCount()
	l.call(nil, "SignInToken", u.pasted)
	l.waitForEvent(from, "the token is used", func(e backend.Event) bool {
		return e.Account != nil && e.Account.State == backend.AccountValid && e.Account.Login == "hubot"
	})
	u.searchRunning(l, "after a token was pasted")
}

// promptAndWait sends a message, allows the permission requests that follow, waits
// until the turn has ended in the given state, and searches for the secrets.
func (u *leakScenario) promptAndWait(l *appProcess, chatID, text string, end backend.TurnState) {
	u.t.Helper()
	u.waitForEnd(l, chatID, u.send(l, chatID, text), end)
	u.searchRunning(l, "after: "+text)
}

func (u *leakScenario) send(l *appProcess, chatID, text string) (from int) {
	u.t.Helper()
	from = l.eventCount()
	l.send(chatID, text)
	return from
}

func (u *leakScenario) waitForEnd(l *appProcess, chatID string, from int, end backend.TurnState) {
	u.t.Helper()
	for {
		var asks *backend.Permission
		from = l.waitForEvent(from, "the turn ends", func(e backend.Event) bool {
			if asks = e.Permission; asks != nil && asks.ChatID == chatID && asks.State == backend.PermissionOpen {
				return true
			}
			if asks = nil; e.Turn == nil || e.Turn.ChatID != chatID || e.Turn.State == backend.TurnRunning {
				return false
			}
			if e.Turn.State != end {
				u.t.Errorf("the turn ended as %s: %+v", e.Turn.State, e.Turn.Error)
			}
			return true
		})
		if asks == nil {
			return
		}
		l.call(nil, "Answer", asks.ID, asks.Options[0].ID, false)
	}
}

func (u *leakScenario) runPrintingCommand(l *appProcess, chatID string) {
	u.t.Helper()
	folder := u.folder(l, chatID)
	l.call(nil, "SetPermissionMode", chatID, backend.ModeBypass)
	from := u.send(l, chatID, "print all")
	late := time.After(time.Minute)
	for { // until the command runs, which only the file shows
		if _, err := os.Stat(filepath.Join(folder, "started")); err == nil {
			break
		}
		select {
		case <-late:
			u.t.Fatal("the command does not run")
		case <-time.After(20 * time.Millisecond):
		}
	}
	u.searchRunning(l, "while a command runs")
	if err := os.WriteFile(filepath.Join(folder, "go"), nil, 0o600); err != nil {
		u.t.Fatal(err)
	}
	u.waitForEnd(l, chatID, from, backend.TurnDone)
	l.call(nil, "SetPermissionMode", chatID, backend.ModeAsk)
	printed := false
	for _, e := range l.events() {
		printed = printed || e.Text != nil && strings.Contains(e.Text.Text, "VOXPILOT_DEBUG=acp")
	}
	if !printed {
		u.t.Error("the command printed nothing of its environment")
	}
	u.searchRunning(l, "after the command")
}

func (u *leakScenario) folder(l *appProcess, chatID string) string {
	u.t.Helper()
	for _, e := range l.snapshot("/data/app").Events {
		if e.Chat != nil && e.Chat.ID == chatID {
			return e.Chat.Folder
		}
	}
	u.t.Fatal("there is no such chat")
	return ""
}

// runCrashingAgent replaces the CLI with a program that prints its token and crashes.
func (u *leakScenario) runCrashingAgent(l *appProcess, program string) {
	u.t.Helper()
	path := filepath.Join(u.userDir, "crashing")
	script := "#!/bin/sh\n[ \"$1\" = --version ] && echo 1.0.102 && exit\necho \"it was <$COPILOT_GITHUB_TOKEN>\" >&2\nexit 3\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		u.t.Fatal(err)
	}
	settings := backend.DefaultSettings()
	settings.ClientID, settings.Attempts, settings.SignIn, settings.CLIPath = fakegithub.ClientID, 1, backend.SourceStored, path
	from := l.eventCount()
	l.call(nil, "SaveSettings", settings)
	l.waitForEvent(from, "the other program is found", func(e backend.Event) bool { return e.CLI != nil && e.CLI.Path == path })
	chat := l.newChat()
	l.send(chat.ID, "go")
	l.waitForEvent(from, "the agent crashes", func(e backend.Event) bool {
		if e.Connection == nil || e.Connection.ChatID != chat.ID || e.Connection.Stderr == "" {
			return false
		}
		if !strings.Contains(e.Connection.Stderr, "it was <") || strings.Contains(e.Connection.Stderr, "<>") {
			u.t.Errorf("the agent had no token to leak: %q", e.Connection.Stderr)
		}
		return true
	})
	u.searchRunning(l, "after a crash of the agent")
	l.call(nil, "DeleteChat", chat.ID, false)
	settings.CLIPath = program
	from = l.eventCount()
	l.call(nil, "SaveSettings", settings)
	l.waitForEvent(from, "the CLI is found again", func(e backend.Event) bool { return e.CLI != nil && e.CLI.Path == program })
}

// loseToken makes GitHub reject the token, checks that agents no longer start with it, and signs in again.
func (u *leakScenario) loseToken(l *appProcess, chatID string) {
	u.t.Helper()
	u.github.Revoke("")
	from := l.eventCount()
	l.call(nil, "StopAgent", chatID)
	l.send(chatID, "wait for it")
	l.waitForEvent(from, "a sign-in is asked for", func(e backend.Event) bool {
		return e.Connection != nil && e.Connection.ChatID == chatID && e.Connection.State == backend.ConnectionNeedsLogin
	})
	u.searchRunning(l, "after the token was revoked")
	u.pasteToken(l)
	u.waitForEnd(l, chatID, from, backend.TurnDone)
}

func (u *leakScenario) useCustomModel(l *appProcess) {
	u.t.Helper()
	var p backend.Provider
	l.call(&p, "SaveProvider", backend.Provider{
		Name: "Mine", BaseURL: u.model.URL(), Model: practice.Model,
	}, u.key)
	var chat backend.Chat
	l.call(&chat, "CreateChat", u.t.TempDir(), p.ID)
	// The scripted model rejects the unknown key, and the error is reported.
	u.promptAndWait(l, chat.ID, "hello", backend.TurnFailed)
	l.call(nil, "CheckProvider", p.ID)

	own, err := practice.New(practice.Func(u.reply)) // it accepts its key
	if err != nil {
		u.t.Fatal(err)
	}
	u.t.Cleanup(own.Close)
	u.search.add("the key of a model that answers", own.Key())
	var other backend.Provider
	l.call(&other, "SaveProvider", backend.Provider{Name: "Other", BaseURL: own.URL(), Model: practice.Model}, own.Key())
	l.call(&chat, "CreateChat", u.t.TempDir(), other.ID)
	u.runPrintingCommand(l, chat.ID)
}

// searchRunning searches every place for the secrets while the app is running.
func (u *leakScenario) searchRunning(l *appProcess, when string) {
	u.t.Helper()
	k := newPageSearch(l, u.search)
	k.events()
	k.pages()
	if u.search.processes(l.cmd.Process.Pid) < 2 {
		u.t.Error("no processes were looked at")
	}
	u.searchFiles(when, nil)
}

// searchFiles searches all files and the output of an app that has exited.
func (u *leakScenario) searchFiles(when string, ended *appProcess) {
	u.t.Helper()
	for _, dir := range []string{u.dir, u.home, u.userDir} {
		if u.search.files(dir) == 0 && dir == u.dir {
			u.t.Error("no files were looked at")
		}
	}
	if ended != nil {
		u.search.in("what the app wrote", ended.words.Bytes())
	}
	u.search.assertNothingFound(when)
}
