package sandbox

import (
	"slices"
	"strconv"
	"strings"
)

// secretNames are words in the names of variables that probably contain secrets.
var secretNames = []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY", "AUTH_KEY", "ENCRYPTION_KEY", "COOKIE", "DATABASE_URL", "CONNECTION_STRING", "WEBHOOK"}

// sessionNames are the names of variables that refer to programs outside the sandbox, such as the user's SSH agent and
// desktop, or to files and folders outside.
var sessionNames = []string{
	"SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_ASKPASS", "SUDO_ASKPASS", "GIT_ASKPASS", "GPG_AGENT_INFO", "DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XAUTHORITY", "ICEAUTHORITY", "SESSION_MANAGER", "XDG_RUNTIME_DIR",
	"DOCKER_HOST", "CONTAINER_HOST", "PULSE_SERVER", "TMUX", "STY", "NOTIFY_SOCKET", "LISTEN_FDS", "INVOCATION_ID", "JOURNAL_STREAM", "DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN", "KRB5CCNAME",
	"TMPDIR", "TMP", "TEMP", "OLDPWD", "BASH_ENV", "ENV", "BASH_FUNC_which%%",
}

// sessionPrefixes are prefixes of names. Variables with such names are treated like those in sessionNames.
var sessionPrefixes = []string{"DBUS_", "VSCODE_", "GNOME_", "KDE_", "AT_SPI_", "I3SOCK", "SWAYSOCK", "ALACRITTY_", "KITTY_", "WEZTERM_", "VOXPILOT_"}

// filterEnv returns the variables in env that may be passed to a command in the sandbox. It removes variables with
// secrets and those in sessionNames and sessionPrefixes. If keepSecretNames is true, it keeps variables whose name or
// value merely looks like a secret. isSecret, which may be nil, reports whether a value is a known secret.
func filterEnv(env []string, isSecret func(value string) bool, keepSecretNames bool) []string {
	var kept []string
	for _, v := range env {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" || strings.ContainsRune(v, 0) || isSession(name) || !keepSecretNames && (isSecretName(name) || hasUserinfo(value)) {
			continue
		}
		if isSecret != nil && isSecret(value) {
			continue
		}
		kept = append(kept, v)
	}
	return kept
}

// isSession reports whether the variable with the given name refers to something outside the sandbox (sessionNames,
// sessionPrefixes).
func isSession(name string) bool {
	return slices.Contains(sessionNames, name) || slices.ContainsFunc(sessionPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// isSecretName reports whether a variable's name suggests a secret.
func isSecretName(name string) bool {
	name = strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	words := strings.Split(name, "_")
	last := words[len(words)-1]
	return last == "KEY" || len(words) > 1 && (last == "PASS" || last == "PWD") ||
		slices.Contains(words, "PAT") || len(words) > 1 && slices.Contains(words, "AUTH") || // not GIT_AUTHOR_NAME or NODE_PATH
		slices.ContainsFunc(secretNames, func(part string) bool { return strings.Contains(name, part) })
}

// hasUserinfo reports whether text contains a URL with a user name or password.
func hasUserinfo(text string) bool {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "://")
		if !ok {
			return false
		}
		authority := after
		if end := strings.IndexAny(after, "/?# \t\"',|"); end >= 0 {
			authority = after[:end]
		}
		if strings.Contains(authority, "@") {
			return true
		}
		rest = after
	}
}

// get returns the value of a variable in env, or "" if it isn't set. If the variable is set more than once, the last
// value counts.
func get(env []string, name string) string {
	for _, v := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// set returns env with vars added. These replace variables with the same names.
func set(env []string, vars ...string) []string {
	return append(slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.ContainsFunc(vars, func(with string) bool { return strings.HasPrefix(with, name+"=") })
	}), vars...)
}

// gitConfig returns env with additional git settings, given as alternating keys and values.
func gitConfig(env []string, pairs ...string) []string {
	count, _ := strconv.Atoi(get(env, "GIT_CONFIG_COUNT"))
	var vars []string
	for i := 0; i+1 < len(pairs); i += 2 {
		n := strconv.Itoa(count)
		vars = append(vars, "GIT_CONFIG_KEY_"+n+"="+pairs[i], "GIT_CONFIG_VALUE_"+n+"="+pairs[i+1])
		count++
	}
	return set(env, append(vars, "GIT_CONFIG_COUNT="+strconv.Itoa(count))...)
}

// useProxy returns env with the variables that make programs use the proxy at url.
func useProxy(env []string, url string) []string {
	const direct = "localhost,127.0.0.1,::1"
	var vars []string
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		vars = append(vars, name+"="+url, strings.ToLower(name)+"="+url)
	}
	// Older versions of Node.js ignore NODE_USE_ENV_PROXY.
	vars = append(vars, "NO_PROXY="+direct, "no_proxy="+direct, "NODE_USE_ENV_PROXY=1",
		"npm_config_proxy="+url, "npm_config_https_proxy="+url, "npm_config_noproxy="+direct,
		"YARN_HTTP_PROXY="+url, "YARN_HTTPS_PROXY="+url, "PIP_PROXY="+url, "CARGO_HTTP_PROXY="+url)
	// A proxy in git's configuration would take precedence over the variables.
	return gitConfig(set(env, vars...), "http.proxy", url)
}
