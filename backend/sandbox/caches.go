package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// goTime is the time limit for requesting Go's settings.
const goTime = 5 * time.Second

// goSettings holds two of Go's settings as printed by go env: the module proxies and the folder of the module cache.
type goSettings struct{ proxy, modules string }

// askGo returns Go's settings for the environment env, or empty ones if Go isn't installed or fails. It runs Go in dir,
// so that no file in the chat's folder affects the result.
func askGo(ctx context.Context, folder, dir string, env []string) goSettings {
	goProgram := program(get(env, "PATH"), folder, "go")
	if goProgram == "" {
		return goSettings{}
	}
	ctx, cancel := context.WithTimeout(ctx, goTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, goProgram, "env", "GOPROXY", "GOMODCACHE")
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	// With GO_TELEMETRY_CHILD=2 (golang.org/x/telemetry/start), the command starts no background process, which would
	// run longer than the command.
	cmd.Env = set(env, "GOTOOLCHAIN=local", "GOFLAGS=", "GO111MODULE=on", "GOWORK=off", "GO_TELEMETRY_CHILD=2", "PWD="+dir)
	out, err := cmd.Output()
	lines := strings.Split(string(out), "\n")
	if err != nil || len(lines) < 2 || !filepath.IsAbs(lines[1]) {
		return goSettings{}
	}
	return goSettings{lines[0], lines[1]}
}

// cacheVariables maps environment variables to the cache folders to which they are set. The folders are relative to the
// folder that contains all caches.
var cacheVariables = map[string]string{
	"XDG_CACHE_HOME": "xdg", "GOCACHE": "go/build", "GOMODCACHE": "go/mod", "GOBIN": "bin", "npm_config_cache": "npm", "PNPM_HOME": "pnpm", "YARN_CACHE_FOLDER": "yarn/cache", "YARN_GLOBAL_FOLDER": "yarn/global",
	"COREPACK_HOME": "corepack", "BUN_INSTALL_CACHE_DIR": "bun", "DENO_DIR": "deno", "PIP_CACHE_DIR": "pip", "UV_CACHE_DIR": "uv", "POETRY_CACHE_DIR": "poetry", "PYTHONUSERBASE": "python",
	"CARGO_HOME": "cargo", "SCCACHE_DIR": "sccache", "CCACHE_DIR": "ccache", "GRADLE_USER_HOME": "gradle", "NUGET_PACKAGES": "nuget", "DOTNET_CLI_HOME": "dotnet", "COMPOSER_CACHE_DIR": "composer", "BUNDLE_USER_CACHE": "bundle", "GEM_SPEC_CACHE": "gem",
}

// browsers maps environment variables to folders in which tools store downloaded browsers. These folders are in the
// user's cache folder. If such a folder exists, cacheEnv sets the variable to it, unless the user has set the variable.
var browsers = map[string]string{"PLAYWRIGHT_BROWSERS_PATH": "ms-playwright", "PUPPETEER_CACHE_DIR": "puppeteer", "CYPRESS_CACHE_FOLDER": "Cypress"}

// Names of package managers' settings files in the sandbox.
const (
	npmFile = "npmrc"
	pipFile = "pip.conf"
)

// cacheEnv creates caches, a folder for the caches of package managers, and returns env with the variables that make
// package managers use it. It copies the user's settings, without secrets: those of npm and pip to the folder settings,
// those of Cargo to caches. Commands see the two folders as seenCaches and seenSettings.
func cacheEnv(caches, seenCaches, settings, seenSettings string, env []string, goEnv goSettings) ([]string, error) {
	if err := os.MkdirAll(caches, 0o700); err != nil {
		return nil, err
	}
	// Commands can replace anything in caches with links.
	root, err := os.OpenRoot(caches)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var vars []string
	for name, dir := range cacheVariables {
		vars = append(vars, name+"="+filepath.Join(seenCaches, dir))
		if err := makeFolder(root, dir); err != nil {
			return nil, err
		}
	}
	home := get(env, "HOME")
	place := func(variable string, otherwise ...string) string {
		return orPath(get(env, variable), filepath.Join(append([]string{home}, otherwise...)...))
	}
	for name, dir := range browsers {
		if dir = filepath.Join(place("XDG_CACHE_HOME", ".cache"), dir); get(env, name) == "" && isDir(dir) {
			vars = append(vars, name+"="+dir)
		}
	}
	if goEnv.modules != "" {
		download := url.URL{Scheme: "file", Path: filepath.Join(goEnv.modules, "cache", "download")}
		vars = append(vars, "GOPROXY="+download.String()+","+goEnv.proxy)
	}
	settingsRoot, err := os.OpenRoot(settings)
	if err != nil {
		return nil, err
	}
	defer settingsRoot.Close()
	err = errors.Join(
		replace(settingsRoot, npmFile, readSettings(place("npm_config_userconfig", ".npmrc"))),
		replace(settingsRoot, pipFile, readSettings(get(env, "PIP_CONFIG_FILE"), filepath.Join(place("XDG_CONFIG_HOME", ".config"), "pip", "pip.conf"), filepath.Join(home, ".pip", "pip.conf"))),
		replace(root, "cargo/config.toml", readSettings(filepath.Join(place("CARGO_HOME", ".cargo"), "config.toml"), filepath.Join(place("CARGO_HOME", ".cargo"), "config"))),
	)
	path := get(env, "PATH") + string(filepath.ListSeparator) + filepath.Join(seenCaches, "bin")
	return set(env, append(vars, "npm_config_userconfig="+filepath.Join(seenSettings, npmFile), "PIP_CONFIG_FILE="+filepath.Join(seenSettings, pipFile), "PATH="+path)...), err
}

// makeFolder creates a folder in root, including its parents. It replaces anything else on that path.
func makeFolder(root *os.Root, dir string) error {
	for at := range parents(dir) {
		info, err := root.Lstat(at)
		if err == nil && info.IsDir() {
			continue
		}
		if err == nil {
			if err := root.RemoveAll(at); err != nil {
				return err
			}
		}
		if err := root.Mkdir(at, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// parents returns an iterator over the parent folders of a relative path, outermost first, followed by the path itself.
func parents(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, c := range path + "/" {
			if c == '/' && !yield(path[:i]) {
				return
			}
		}
	}
}

// replace writes text to a file in root, unless the file already has that content. It also replaces anything that isn't
// a regular file.
func replace(root *os.Root, name string, text []byte) error {
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() && info.Size() == int64(len(text)) {
		if old, err := root.ReadFile(name); err == nil && bytes.Equal(old, text) {
			return nil
		}
	}
	if err := root.RemoveAll(name); err != nil {
		return err
	}
	return root.WriteFile(name, text, 0o600)
}

func orPath(path, otherwise string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return otherwise
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// maxSettings is the maximum size of a settings file in bytes.
const maxSettings = 1 << 20

// readSettings returns the content of the first of the files that it can read, without settings that may be secret. It
// skips files larger than maxSettings. It returns nil if it can read none of the files.
func readSettings(files ...string) []byte {
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxSettings {
			continue
		}
		if data, err := os.ReadFile(file); err == nil {
			return withoutSecrets(data)
		}
	}
	return nil
}

// withoutSecrets returns the content of a settings file without settings that may be secret. It keeps section names. It
// also keeps a "key = value" line, with its continuation lines, if neither the key nor the value looks like a secret.
// It removes everything else, because even a comment could contain a secret.
func withoutSecrets(text []byte) []byte {
	var out bytes.Buffer
	keep := false // whether the last key was kept
	for line := range bytes.Lines(text) {
		trimmed := strings.TrimSpace(string(line))
		key, _, isSetting := strings.Cut(trimmed, "=")
		key = strings.Trim(strings.TrimSpace(key), `"'`)
		indented := line[0] == ' ' || line[0] == '\t'
		switch {
		case trimmed == "" || strings.ContainsRune("#;", rune(trimmed[0])):
			continue
		case trimmed[0] == '[' && trimmed[len(trimmed)-1] == ']' && !indented:
			keep = false
			out.Write(line)
			continue
		case isSetting && !strings.ContainsAny(key, `,"`):
			keep = !isSecretSetting(key)
		case !indented && strings.Trim(trimmed, "]},") != "":
			keep = false
		}
		if keep && !hasUserinfo(trimmed) {
			out.Write(line)
		} else {
			keep = false
		}
	}
	return out.Bytes()
}

// isSecretSetting reports whether a key in a settings file may have a secret as its value. In npm's settings, a key
// that starts with "//" belongs to one registry, and its value is usually a credential.
func isSecretSetting(key string) bool {
	lower := strings.ToLower(key)
	if strings.HasPrefix(key, "//") || lower == "key" || lower == "cert" || lower == "username" || lower == "email" || lower == "certfile" || lower == "keyfile" || strings.Contains(lower, "credential-provider") {
		return true
	}
	return isSecretName(strings.ReplaceAll(key, ".", "_")) || strings.Contains(lower, "auth") || strings.Contains(lower, "password")
}
