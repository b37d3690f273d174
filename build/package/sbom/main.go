// Command sbom prints the components of VoxPilot as CycloneDX: the Go modules and the C library of the program and
// the npm packages of its page, with their licenses. Its arguments are the version of VoxPilot and the list written
// by build/licenses.
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

	"github.com/voxpilot/voxpilot/backend"
)

// bom and the following types represent objects of the CycloneDX 1.5 format.
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
	Licenses []license `json:"licenses,omitempty"`
}

// license holds one of three alternatives: a license with an SPDX identifier, a license
// without one, or an expression.
type license struct {
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
		return errors.New("usage: sbom VERSION LICENSES")
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
		Components []backend.Component
	}
	if err := json.NewDecoder(plain).Decode(&list); err != nil {
		return err
	}
	if len(list.Components) == 0 {
		return errors.New("the list of licenses is empty")
	}
	b := bom{Format: "CycloneDX", Spec: "1.5", Version: 1}
	b.Metadata.Component = component{Type: "application", Name: "VoxPilot", Version: args[0], Licenses: []license{licenseOf("MIT")}}
	for _, c := range list.Components {
		url := purl(c.Name, c.Version)
		b.Components = append(b.Components, component{
			Type: "library", Ref: url, Name: c.Name, Version: c.Version, PURL: url, Licenses: []license{licenseOf(c.License)},
		})
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(b)
}

// purl returns the package URL of a component: Go itself, the C library, a Go module or an npm package. A Go module is
// recognized by its name, which is a path that starts with a host.
func purl(name, version string) string {
	host, _, isPath := strings.Cut(name, "/")
	switch {
	case name == "Go":
		return "pkg:golang/std@" + version
	case name == "musl":
		return "pkg:generic/musl"
	case isPath && host[0] != '@':
		return "pkg:golang/" + name + "@" + version
	}
	return "pkg:npm/" + strings.ReplaceAll(name, "@", "%40") + "@" + url.PathEscape(version)
}

// ids holds the license names that are SPDX identifiers.
var ids = map[string]bool{
	"MIT": true, "ISC": true, "Apache-2.0": true, "BSD-2-Clause": true, "BSD-3-Clause": true, "MPL-2.0": true,
	"OFL-1.1": true, "0BSD": true, "Unlicense": true, "CC0-1.0": true, "Zlib": true,
}

func licenseOf(name string) license {
	switch {
	case strings.Contains(name, " OR "), strings.Contains(name, " AND "):
		return license{Expression: name}
	case ids[name]:
		return license{License: &named{ID: name}}
	}
	return license{License: &named{Name: name}}
}
