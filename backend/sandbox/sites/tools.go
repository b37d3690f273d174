package sites

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// npm returns the hosts of npm's default registry and of the registries for scopes. It doesn't request the settings as
// JSON, because npm refuses to print addresses with passwords as JSON, while its plain list masks the passwords.
func (f finder) npm(ctx context.Context) []string {
	out := f.ask(ctx, []string{"NO_UPDATE_NOTIFIER=1", "npm_config_logs_max=0"}, "npm", "config", "list", "-l")
	var hosts []string
	for line := range strings.Lines(string(out)) { // comments and overridden values start with a semicolon
		key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		var address string
		if (key == "registry" || strings.HasPrefix(key, "@") && strings.HasSuffix(key, ":registry")) && json.Unmarshal([]byte(value), &address) == nil {
			hosts = append(hosts, hostOf(address))
		}
	}
	return hosts
}

// goTool returns the hosts of Go's module proxies and checksum database.
func (f finder) goTool(ctx context.Context) []string {
	var config struct{ GOPROXY, GOSUMDB string }
	// With GO_TELEMETRY_CHILD=2 (golang.org/x/telemetry/start), the command starts no background process, which would
	// run longer than the command.
	out := f.ask(ctx, []string{"GOTOOLCHAIN=local", "GOWORK=off", "GO_TELEMETRY_CHILD=2"}, "go", "env", "-json", "GOPROXY", "GOSUMDB")
	if json.Unmarshal(out, &config) != nil {
		return nil
	}
	var hosts []string
	for address := range strings.FieldsFuncSeq(config.GOPROXY, func(r rune) bool { return r == ',' || r == '|' }) {
		hosts = append(hosts, hostOf(address))
	}
	// The setting has the form "NAME", "NAME+KEY" or "NAME+KEY ADDRESS". Without an address, NAME is the host and a
	// path.
	if parts := strings.Fields(config.GOSUMDB); len(parts) == 1 {
		name, _, _ := strings.Cut(parts[0], "+")
		if host, _, _ := strings.Cut(name, "/"); strings.Contains(host, ".") {
			hosts = append(hosts, patternOf(host))
		}
	} else if len(parts) == 2 {
		hosts = append(hosts, hostOf(parts[1]))
	}
	return hosts
}

// pipDefault is a Python script that prints the addresses of pip's default index.
const pipDefault = `from pip._internal.models.index import PyPI
print(PyPI.simple_url)
print("https://" + PyPI.file_storage_domain)`

// pip returns the hosts of the indexes and links that pip is configured to use. Unless the default index is replaced or
// turned off, the result also includes the hosts of that index. They are defined only in pip's code, from which
// pipDefault reads them.
func (f finder) pip(ctx context.Context) []string {
	python := "python3"
	if f.program(python) == "" {
		python = "python"
	}
	quiet := []string{"PIP_DISABLE_PIP_VERSION_CHECK=1", "PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1"}
	config := f.ask(ctx, quiet, python, "-m", "pip", "config", "list")
	if config == nil { // no pip
		return nil
	}
	var hosts []string
	other := false // the default index is replaced or turned off
	for line := range strings.Lines(string(config)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch key[strings.LastIndexByte(key, '.')+1:] {
		case "index-url", "extra-index-url", "find-links":
			for address := range strings.FieldsSeq(strings.ReplaceAll(strings.Trim(value, `'"`), `\n`, " ")) {
				hosts = append(hosts, hostOf(address))
			}
			other = other || strings.HasSuffix(key, ".index-url")
		case "no-index":
			other = other || !slices.Contains([]string{"'0'", "'false'", "'no'", "'off'", "'n'", "'f'"}, strings.ToLower(value))
		}
	}
	if !other {
		for address := range strings.Lines(string(f.ask(ctx, quiet, python, "-c", pipDefault))) {
			hosts = append(hosts, hostOf(address))
		}
	}
	return hosts
}

var (
	// cargoAddress matches the addresses of registries in a line of cargo's configuration.
	cargoAddress = regexp.MustCompile(`(?:^|[\s{,.])(?:index|registry)\s*=\s*["'](?:sparse\+|registry\+)?(https?://[^"']+)["']`)
	// cargoFolder matches a folder that cargo created for a registry. Its name consists of the host and a hash.
	cargoFolder = regexp.MustCompile(`^(.+)-[0-9a-f]{16}$`)
)

// cargo returns the hosts of the registries that cargo is configured to use or has used, and the hosts from which it
// downloads the registries' packages. It reads cargo's files, because cargo has no command that prints the hosts.
func (f finder) cargo(context.Context) []string {
	home := f.get("CARGO_HOME")
	if home == "" && f.get("HOME") != "" {
		home = filepath.Join(f.get("HOME"), ".cargo")
	}
	if home == "" && f.get("USERPROFILE") != "" {
		home = filepath.Join(f.get("USERPROFILE"), ".cargo")
	}
	if !filepath.IsAbs(home) {
		return nil
	}
	var hosts []string
	for _, name := range []string{"config.toml", "config"} {
		text, err := readSmall(filepath.Join(home, name))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			for _, found := range cargoAddress.FindAllStringSubmatch(line, -1) {
				hosts = append(hosts, hostOf(found[1]))
			}
		}
		break // cargo reads only one of them
	}
	for _, kv := range f.env {
		name, value, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "CARGO_REGISTRIES_") && strings.HasSuffix(name, "_INDEX") {
			hosts = append(hosts, hostOf(strings.TrimPrefix(value, "sparse+")))
		}
	}
	index := filepath.Join(home, "registry", "index")
	folders, err := os.ReadDir(index)
	if err != nil {
		return hosts
	}
	for _, folder := range folders {
		name := cargoFolder.FindStringSubmatch(folder.Name())
		if name == nil {
			continue
		}
		hosts = append(hosts, patternOf(name[1]))
		var config struct{ DL string }
		if text, err := readSmall(filepath.Join(index, folder.Name(), "config.json")); err == nil && json.Unmarshal(text, &config) == nil {
			hosts = append(hosts, hostOf(config.DL))
		}
	}
	return hosts
}

// readSmall returns the content of a file. The error is os.ErrInvalid if the file isn't a regular one or is larger than
// maxOutput.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxOutput {
		return nil, os.ErrInvalid
	}
	return os.ReadFile(path)
}
