// Command licenses writes the licenses of all shipped components to the file named by its argument, in the format of
// GET /data/licences: gzipped JSON. The components are the Go modules and the C library of the program and the npm
// packages of its page. make build runs this command in the root of the repository.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: licenses FILE")
	}
	modules, err := goModules()
	if err != nil {
		return err
	}
	packages, err := npmPackages("frontend")
	if err != nil {
		return err
	}
	all := append(append(modules, packages...), cLibrary()...)
	slices.SortFunc(all, func(a, b backend.Component) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	for i := range all {
		if all[i].License == "" && all[i].Text == "" {
			all[i].License = "not stated" // a package without a license file
		}
	}
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	if err := json.NewEncoder(zip).Encode(backend.Licenses{Components: all}); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	return os.WriteFile(args[0], out.Bytes(), 0o600)
}

// goModules returns the modules that the program is built from, plus Go itself.
func goModules() ([]backend.Component, error) {
	list := exec.Command("go", "list", "-deps", "-json=Standard,Module", "-tags", "desktop,production,webkit2_41", ".") //nolint:noctx // short-lived
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	root, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output() //nolint:noctx // short-lived
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	goroot, version, _ := strings.Cut(strings.TrimSpace(string(root)), "\n")
	text, err := licenseIn(goroot)
	if err != nil {
		return nil, err
	}
	all := []backend.Component{{Name: "Go", Version: strings.TrimPrefix(version, "go"), License: kindOf(text), Text: text}}
	seen := map[string]bool{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		switch err := decoder.Decode(&pkg); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		m := pkg.Module
		if m == nil || m.Main || seen[m.Path] {
			continue
		}
		seen[m.Path] = true
		text, err := licenseIn(m.Dir)
		if err != nil {
			return nil, err
		}
		all = append(all, backend.Component{Name: m.Path, Version: m.Version, License: kindOf(text), Text: text})
	}
}

// cLibrary returns the C library that is part of the program for Linux, with the license text that is installed on this
// computer, if any. On other systems it returns nothing.
func cLibrary() []backend.Component {
	if runtime.GOOS != "linux" {
		return nil
	}
	musl := backend.Component{Name: "musl", License: "MIT"}
	for _, pattern := range []string{"/usr/share/doc/musl-dev/copyright", "/usr/share/licenses/musl*/COPYRIGHT"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && musl.Text == "" {
				musl.Text = string(text)
			}
		}
	}
	return []backend.Component{musl}
}

// npmPackages returns the runtime dependencies of the page in dir, without its build
// and test dependencies.
func npmPackages(dir string) ([]backend.Component, error) {
	var lock struct {
		Packages map[string]struct {
			Version     string
			License     string `json:"license"`
			Dev         bool
			DevOptional bool
			Optional    bool
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	var all []backend.Component
	seen := map[backend.Component]bool{}
	for path, p := range lock.Packages {
		if path == "" || p.Dev || p.DevOptional || p.Optional {
			continue
		}
		text, err := licenseIn(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		name := path[strings.LastIndex(path, "node_modules/")+len("node_modules/"):]
		c := backend.Component{Name: name, Version: p.Version, License: p.License, Text: text}
		if !seen[c] { // one package may be installed in several places
			seen[c] = true
			all = append(all, c)
		}
	}
	return all, nil
}

var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|unlicense|patents)([._-].*)?$`)

// licenseIn returns the text of the license files in dir.
func licenseIn(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenseFile.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")))
	}
	return strings.Join(texts, "\n\n"), nil
}

// kinds identifies licenses by phrases in their text. The first match decides, so specific phrases come
// before those that several licenses contain.
var kinds = []struct{ id, words string }{
	{"Apache-2.0", "apache license"},
	{"MPL-2.0", "mozilla public license"},
	{"BSD-3-Clause", "neither the name"},
	{"BSD-2-Clause", "redistributions in binary form"},
	{"ISC", "permission to use, copy, modify, and/or distribute"},
	{"ISC", "permission to use, copy, modify, and distribute"},
	{"MIT", "permission is hereby granted, free of charge"},
	{"Unlicense", "released into the public domain"},
}

// kindOf returns the SPDX identifier of a license text, or "" if the license is unknown.
func kindOf(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, k := range kinds {
		if strings.Contains(text, k.words) {
			return k.id
		}
	}
	return ""
}
