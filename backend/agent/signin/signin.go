// Package signin reads the sign-in methods that an agent declares (ACP authMethods).
package signin

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Offer describes an agent's sign-in, as the agent declares it in its answer to initialize.
type Offer struct {
	Methods    []backend.AuthMethod
	CanSignOut bool // the agent supports ACP logout
}

// Limits of an agent's sign-in methods. Further methods are left out, longer texts are cut, and a method with more
// variables, or with a longer command, can't be used.
const (
	maxAuthMethods = 20
	maxAuthText    = 2000 // bytes
	maxAuthCommand = 8000 // bytes
)

// Read reads the sign-in methods in an agent's answer to initialize. program is the path of the agent's
// program, or "" if VoxPilot doesn't start it. Methods of unknown kinds are kept as
// AuthUnknown, so that the user sees them. A method in a terminal runs the agent's program, with Args in addition to the
// configured ones. A method can't name another program (ACP v1, terminal authentication), so the commands that older
// agents have in _meta.terminal-auth aren't used. All texts are shown to the user, and may be hostile.
func Read(answer gjson.Result, program string) Offer {
	var s Offer
	logout := answer.Get("agentCapabilities.auth.logout")
	s.CanSignOut = logout.IsObject() || logout.Bool()
	for _, method := range answer.Get("authMethods").Array() {
		m := backend.AuthMethod{ID: method.Get("id").String(), Name: Plain(method.Get("name").String()), Description: Plain(method.Get("description").String())}
		if m.ID == "" || len(m.ID) > maxAuthText || len(s.Methods) == maxAuthMethods || slices.ContainsFunc(s.Methods, func(o backend.AuthMethod) bool { return o.ID == m.ID }) {
			continue
		}
		if m.Name == "" {
			m.Name = Plain(m.ID)
		}
		switch kind := method.Get("type").String(); {
		case kind == "env_var":
			readVariables(&m, method)
		case kind == "terminal" && program != "":
			m.Kind, m.Args = backend.AuthInTerminal, textsOf(method.Get("args"))
			method.Get("env").ForEach(func(name, value gjson.Result) bool {
				m.Env = append(m.Env, name.String()+"="+value.String())
				return true
			})
		case (kind == "" || kind == "agent") && !method.Get("_meta.terminal-auth.command").Exists():
			m.Kind = backend.AuthByAgent
		default:
			m.Kind = backend.AuthUnknown
		}
		if m.Kind == backend.AuthInTerminal && !isDisplayable(m) {
			m = backend.AuthMethod{ID: m.ID, Name: m.Name, Description: m.Description, Kind: backend.AuthUnknown}
		}
		s.Methods = append(s.Methods, m)
	}
	return s
}

// readVariables reads the variables of a method of the kind env_var. A method with a variable that an agent must not set
// can't be used.
func readVariables(m *backend.AuthMethod, method gjson.Result) {
	m.Kind, m.Link = backend.AuthByVariable, linkOf(method.Get("link").String())
	for _, v := range method.Get("vars").Array() {
		secret := v.Get("secret")
		m.Vars = append(m.Vars, backend.AuthVar{
			Name: v.Get("name").String(), Label: Plain(v.Get("label").String()),
			Secret: !secret.Exists() || secret.Type == gjson.Null || secret.Bool(), Optional: v.Get("optional").Bool(),
		})
	}
	if len(m.Vars) == 0 || len(m.Vars) > maxAuthMethods || slices.ContainsFunc(m.Vars, func(v backend.AuthVar) bool { return !isSignInVariable(v.Name) }) {
		m.Kind, m.Vars, m.Link = backend.AuthUnknown, nil, ""
	}
}

// variable matches the names of environment variables.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)

// reserved matches the names of environment variables, in capital letters, that select programs, load code or belong to
// the Copilot CLI or VoxPilot.
var reserved = regexp.MustCompile(`^(PATH|PATHEXT|HOME|USERPROFILE|SHELL|COMSPEC|ENV|BASH_ENV|IFS|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|BROWSER|TMPDIR|TEMP|TMP|` +
	`LD_.*|DYLD_.*|GIT_.*|SSH_.*|NODE_.*|NPM_CONFIG_.*|PYTHON.*|RUBY.*|PERL.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GCONV_PATH|XDG_.*|BUN_.*|DENO_.*|DOTNET_.*|CORECLR_.*|COR_.*|LUA_.*|ELECTRON_.*|` +
	`OPENSSL_.*|SSLKEYLOGFILE|CURL_.*|REQUESTS_CA_BUNDLE|FTP_PROXY|ZDOTDIR|GIO_.*|GTK_.*|QT_.*|HOSTALIASES|SYSTEMROOT|WINDIR|PSMODULEPATH|APPDATA|LOCALAPPDATA|` +
	`COPILOT_.*|GH_.*|GITHUB_.*|VOXPILOT_.*|HTTPS?_PROXY|ALL_PROXY|NO_PROXY|SSL_CERT_.*|NODE_EXTRA_CA_CERTS)$`)

// isSignInVariable reports whether an agent may ask the user for the value of an environment variable.
func isSignInVariable(name string) bool {
	return variable.MatchString(name) && !reserved.MatchString(strings.ToUpper(name))
}

// isDisplayable reports whether the command of a method can be shown to the user exactly as it runs, and sets only
// variables that an agent may set.
func isDisplayable(m backend.AuthMethod) bool {
	total := len(m.Program)
	for _, text := range append([]string{m.Program}, append(m.Args, m.Env...)...) {
		total += len(text)
		if Plain(text) != text {
			return false
		}
	}
	for _, v := range m.Env {
		if name, _, _ := strings.Cut(v, "="); !isSignInVariable(name) {
			return false
		}
	}
	return total <= maxAuthCommand
}

// linkOf returns a web address that VoxPilot may offer to open, or "".
func linkOf(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || Plain(text) != text || len(text) > maxAuthText {
		return ""
	}
	return text
}

// Plain returns the first line of a text for display, without characters that are invisible or change the direction.
func Plain(text string) string {
	line := excerpt.FirstLine(strings.TrimSpace(text), maxAuthText)
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' || r == '\uFFFD' {
			return -1
		}
		return r
	}, line))
}

func textsOf(list gjson.Result) []string {
	var texts []string
	for _, each := range list.Array() {
		texts = append(texts, each.String())
	}
	return texts
}
