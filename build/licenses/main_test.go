package main

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/need"
)

func TestLicense_RecognizedByText(t *testing.T) {
	for want, text := range map[string]string{
		"MIT":          "MIT License\n\nPermission is hereby granted,\n free of charge, to any person",
		"Apache-2.0":   "                 Apache License\n Version 2.0",
		"BSD-3-Clause": "Redistributions in binary form must … Neither the name of Google",
		"BSD-2-Clause": "Redistributions in binary form must reproduce",
		"ISC":          "Permission to use, copy, modify, and/or distribute this software",
		"":             "All rights reserved.",
	} {
		if got := kindOf(text); got != want {
			t.Errorf("%q is taken for %q", text, got)
		}
	}
}

func TestPackages_OnlyThoseShippedInPage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("package-lock.json", `{"packages":{"":{},
		"node_modules/@a/b":{"version":"1.0.0","license":"MIT"},
		"node_modules/c/node_modules/@a/b":{"version":"1.0.0","license":"MIT"},
		"node_modules/tool":{"version":"2.0.0","dev":true},
		"node_modules/native":{"version":"2.0.0","optional":true}}}`)
	for _, at := range []string{"node_modules/@a/b", "node_modules/c/node_modules/@a/b"} {
		write(at+"/LICENSE.md", "the text\n")
		write(at+"/license.go", "package x")
	}
	got, err := npmPackages(dir)
	if err != nil || len(got) != 1 || got[0] != (backend.Component{Name: "@a/b", Version: "1.0.0", License: "MIT", Text: "the text"}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestModules_OnlyThoseInProgram(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	all, err := goModules()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]backend.Component{}
	for _, c := range all {
		found[c.Name] = c
	}
	for name, license := range map[string]string{"Go": "BSD-3-Clause", "github.com/wailsapp/wails/v2": "MIT", "github.com/coder/acp-go-sdk": "Apache-2.0"} {
		if c := found[name]; c.License != license || c.Version == "" || c.Text == "" {
			t.Errorf("%s is %s %s with %d bytes", name, c.License, c.Version, len(c.Text))
		}
	}
	if _, ok := found["go.uber.org/goleak"]; ok {
		t.Error("a module of the tests is among them")
	}
}

func TestFile_MatchesPageFormat(t *testing.T) {
	if err := run(nil); err == nil {
		t.Error("without a file to write it is content")
	}
	if _, err := os.Stat(filepath.Join("..", "..", "frontend", "node_modules", "solid-js")); err != nil {
		need.Missing(t, "the packages of the page are not installed: run make deps")
	}
	t.Chdir(filepath.Join("..", ".."))
	path := filepath.Join(t.TempDir(), "licenses.json.gz")
	if err := run([]string{path}); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var answer backend.Licenses
	if err := json.NewDecoder(zip).Decode(&answer); err != nil || len(answer.Components) < 30 {
		t.Errorf("%d components, %v", len(answer.Components), err)
	}
	i := slices.IndexFunc(answer.Components, func(c backend.Component) bool { return c.Name == "musl" })
	if runtime.GOOS == "linux" && (i < 0 || answer.Components[i].License != "MIT" || answer.Components[i].Text == "") {
		t.Error("the C library, or the text of its license, isn't listed")
	}
}
