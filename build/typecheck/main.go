// Command typecheck checks the types of all packages of the module, and of their tests, for
// another operating system. It compiles nothing: dependencies are read from source, without
// the bodies of their functions, which is many times faster than `go vet`.
//
//	go run ./build/typecheck GOOS
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// listed is a package as printed by `go list -json`.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string // by the path in the source
	Module     *struct {
		Main      bool
		GoVersion string
	}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./build/typecheck GOOS")
		os.Exit(2)
	}
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check returns all type errors in the packages of the module in the current folder, for the
// given operating system and the architecture of this computer.
func check(goos string) error {
	list := exec.CommandContext(context.Background(), "go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Module", "./...")
	list.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.StdoutPipe()
	if err != nil {
		return err
	}
	if err := list.Start(); err != nil {
		return err
	}
	c := checker{files: token.NewFileSet(), done: map[string]*types.Package{"unsafe": types.Unsafe}}
	for packages := json.NewDecoder(out); ; {
		var p listed
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if p.ImportPath != "unsafe" && !strings.HasSuffix(p.ImportPath, ".test") { // the program that runs the tests
			c.add(p)
		}
	}
	if c.checked == 0 {
		c.errs = append(c.errs, errors.New("no packages were checked"))
	}
	return errors.Join(append(c.errs, list.Wait())...)
}

// checker checks packages. Each must be added after its dependencies.
type checker struct {
	files   *token.FileSet
	done    map[string]*types.Package // by import path
	checked int                       // packages of the module
	errs    []error
}

func (c *checker) add(p listed) {
	own := p.Module != nil && p.Module.Main
	var files []*ast.File
	for _, name := range p.GoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		f, err := parser.ParseFile(c.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			c.errs = append(c.errs, err)
			return
		}
		files = append(files, f)
	}
	config := types.Config{
		Importer:         importer{c, p.ImportMap},
		IgnoreFuncBodies: !own,
		FakeImportC:      true,
		Sizes:            types.SizesFor("gc", runtime.GOARCH),
		Error: func(err error) {
			// A package and the variant with its tests have the same errors.
			isKnown := slices.ContainsFunc(c.errs, func(other error) bool { return other.Error() == err.Error() })
			if own && !isKnown {
				c.errs = append(c.errs, err)
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	c.done[p.ImportPath], _ = config.Check(path, c.files, files, nil) // reported by Error
	if own {
		c.checked++
	}
}

// importer finds the packages that a package imports.
type importer struct {
	c     *checker
	paths map[string]string
}

// Import implements types.Importer.
func (i importer) Import(path string) (*types.Package, error) {
	if mapped, ok := i.paths[path]; ok {
		path = mapped
	}
	if p := i.c.done[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s wasn't listed before its importer", path)
}
