// VoxPilot is a desktop app for working with GitHub Copilot on code.
//
// This file is the way in: what the command line asks for, and the window's
// options. What the window can do is in app.go.
package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/mac"

	"github.com/voxpilot/voxpilot/backend/commandline"
	"github.com/voxpilot/voxpilot/backend/data"
	"github.com/voxpilot/voxpilot/backend/desktop"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/backend/quick"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/harden"
	"github.com/voxpilot/voxpilot/internal/process"
)

// release is the version that is worked on: the one place where it stands.
//
//go:embed VERSION
var release string

// stamped is set at build time with -ldflags "-X main.stamped=…": the release,
// or the release and the commit (Makefile).
var stamped string

// version is which VoxPilot this is.
var version = cmp.Or(stamped, strings.TrimSpace(release)+"+dev")

// githubClientID is that of the OAuth app for the sign-in by code, set with
// -ldflags "-X main.githubClientID=…". Without one, and none in the settings,
// the window offers the other ways.
var githubClientID string

//go:embed all:frontend/dist
var page embed.FS

// licences are those of what is shipped, where the program was built by make build.
//
//go:embed all:build/licences/made
var licences embed.FS

//go:embed build/linux/window.png
var icon []byte

// updateFeed is where the signed list of the newest version is, and updateKey the
// publisher's public keys, set with -ldflags "-X main.updateFeed=… -X main.updateKey=…".
// Without both, VoxPilot does not look for updates.
// updateSource is the repository that a version has to be built from, or "".
var updateFeed, updateKey, updateSource string

func main() {
	process.ExecIfRequested()
	environment.PrintIfRequested()
	workspace.DetachIfRequested()
	harden.Process(runtime.GOOS, harden.Released)
	dist, err := fs.Sub(page, "frontend/dist")
	if err != nil {
		panic(err) // it is embedded
	}
	quick.RunIfRequested(dist)
	commandline.AttachConsole()
	build := engine.Build{Version: version, ClientID: githubClientID, UpdateFeed: updateFeed, UpdateKey: updateKey, UpdateSource: updateSource}
	if code, ok := commandline.Run(build, os.Args[1:], os.Stdout, os.Stderr); ok {
		os.Exit(code)
	}
	if err := run(build); err != nil {
		fmt.Fprintln(os.Stderr, "voxpilot:", err)
		os.Exit(1)
	}
}

// run claims the data directory before anything else, and ends where another
// VoxPilot has it. One that nobody can reach runs all the same: its window says
// what is wrong with the directory.
func run(build engine.Build) error {
	start, err := commandline.ParseStart(os.Args[1:])
	if err != nil {
		return err
	}
	first, err := commandline.Claim(start)
	if errors.Is(err, instance.ErrUnreachable) {
		fmt.Fprintln(os.Stderr, "voxpilot:", err)
	} else if err != nil || first == nil {
		return err
	}
	licensed, err := fs.Sub(licences, "build/licences/made")
	if err != nil {
		return err
	}
	d := desktop.New(environment.DataDir(), build)
	d.First = first
	server := commandline.NewServer(d)
	d.API.Start()           // beside the window that is made meanwhile
	defer d.InstallUpdate() // when all else has ended
	defer d.QuitOnSignals()()
	o := d.Options(start.Hidden)
	o.AssetServer = &assetserver.Options{Assets: page, Handler: data.New(d.API, licensed)}
	o.Bind = []any{&App{d.API, d}}
	o.OnStartup = func(ctx context.Context) {
		d.Startup(ctx)
		server.Serve()
		server.OpenWith(start.Target)
	}
	// The system has macOS open folders and links by the app that runs.
	o.Mac = &mac.Options{OnFileOpen: server.OpenWith, OnUrlOpen: server.OpenWith}
	o.Linux.Icon = icon
	return wails.Run(o)
}
