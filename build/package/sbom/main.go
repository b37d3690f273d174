// Sbom prints what VoxPilot is built of, as CycloneDX: the Go modules of the
// program and the npm packages of its page, with their licences. Its arguments
// are the version of VoxPilot and the list that build/licences makes.
package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
)

// What follows are the words of CycloneDX 1.5.
type bom struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref,omitempty"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	PURL     string    `json:"purl,omitempty"`
	Licences []licence `json:"licenses,omitempty"`
}

// licence is one that SPDX has a name for, one that it has not, or a choice.
type licence struct {
	License    *named `json:"license,omitempty"`
	Expression string `json:"expression,omitempty"`
}

type named struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("name the version and the list of licences")
	}
	file, err := os.Open(args[1])
	if err != nil {
		return err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	var list struct {
		Components []struct{ Name, Version, Licence string }
	}
	if err := json.NewDecoder(plain).Decode(&list); err != nil {
		return err
	}
	if len(list.Components) == 0 {
		return errors.New("the list of licences is empty")
	}
	b := bom{Format: "CycloneDX", Spec: "1.5", Version: 1}
	b.Metadata.Component = component{Type: "application", Name: "VoxPilot", Version: args[0], Licences: []licence{licenceOf("MIT")}}
	for _, c := range list.Components {
		url := purl(c.Name, c.Version)
		b.Components = append(b.Components, component{
			Type: "library", Ref: url, Name: c.Name, Version: c.Version, PURL: url, Licences: []licence{licenceOf(c.Licence)},
		})
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(b)
}

// purl is the package's address: that of a Go module where its name is a path
// that begins with a host, that of an npm package otherwise.
func purl(name, version string) string {
	host, _, isPath := strings.Cut(name, "/")
	switch {
	case name == "Go":
		return "pkg:golang/std@" + version
	case isPath && host[0] != '@':
		return "pkg:golang/" + name + "@" + version
	}
	return "pkg:npm/" + strings.ReplaceAll(name, "@", "%40") + "@" + url.PathEscape(version)
}

// ids are the licences that have a name of their own at SPDX.
var ids = map[string]bool{
	"MIT": true, "ISC": true, "Apache-2.0": true, "BSD-2-Clause": true, "BSD-3-Clause": true, "MPL-2.0": true,
	"OFL-1.1": true, "0BSD": true, "Unlicense": true, "CC0-1.0": true, "Zlib": true,
}

func licenceOf(name string) licence {
	switch {
	case strings.Contains(name, " OR "), strings.Contains(name, " AND "):
		return licence{Expression: name}
	case ids[name]:
		return licence{License: &named{ID: name}}
	}
	return licence{License: &named{Name: name}}
}
