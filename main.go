// VoxPilot is a desktop app for working with GitHub Copilot on code.
//
// This file is the entry point: it handles the command line and sets the window's options. The API for
// the window is in app.go.
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
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/backend/quick"
	"github.com/voxpilot/voxpilot/backend/screens"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/harden"
	"github.com/voxpilot/voxpilot/internal/process"
)

// release is the version under development. It is defined only in the file VERSION.
//
//go:embed VERSION
var release string

// stamped is the release version, possibly followed by the commit, set at build time
// with -ldflags "-X main.stamped=…" (Makefile).
var stamped string

// version is the version of this build.
var version = cmp.Or(stamped, strings.TrimSpace(release)+"+dev")

// githubClientID is the client ID of the OAuth app for the device flow, set with
// -ldflags "-X main.githubClientID=…". If it is empty and the settings have none, the
// window offers only the other ways to sign in.
var githubClientID string

//go:embed all:frontend/dist
var page embed.FS

// licenses holds the licenses of the shipped components, if the program was built by make build.
//
//go:embed all:build/licenses/made
var licenses embed.FS

//go:embed build/linux/window.png
var icon []byte

// updateFeed is the URL of the signed update feed, and updateKey holds the publisher's public keys. They are set at
// build time with -ldflags "-X main.updateFeed=… -X main.updateKey=…". Unless both are set, VoxPilot doesn't check for
// updates. updateSource is the repository from which a version must have been built, or "" to accept any.
var updateFeed, updateKey, updateSource string

func main() {
	guard.RunIfRequested()
	process.ExecIfRequested()
	environment.PrintIfRequested()
	workspace.DetachIfRequested()
	harden.Process(runtime.GOOS, harden.Released)
	dist, err := fs.Sub(page, "frontend/dist")
	if err != nil {
		panic(err) // can't happen: the folder is embedded
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

// run claims the data directory, and returns if another VoxPilot instance has already claimed it. Otherwise, it runs
// the app until the user quits. If a problem with the directory prevents instances started later from reaching this
// process, the app runs anyway and its window reports the problem.
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
	licensed, err := fs.Sub(licenses, "build/licenses/made")
	if err != nil {
		return err
	}
	d := desktop.New(environment.DataDir(), build)
	d.First = first
	server := commandline.NewServer(d)
	d.API.Start()           // while the window is created
	defer d.InstallUpdate() // after everything else has ended
	defer d.QuitOnSignals()()
	o := d.Options(start.Hidden)
	o.AssetServer = &assetserver.Options{Assets: page, Handler: data.New(d.API, licensed)}
	o.Bind = []any{&App{screens.NewReview(d.API), screens.NewCommits(d.API), screens.NewSessions(d.API), d.API, d}}
	o.OnStartup = func(ctx context.Context) {
		d.Startup(ctx)
		server.Serve()
		server.OpenWith(start.Target)
	}
	// macOS delivers opened folders and links to the running app.
	o.Mac = &mac.Options{OnFileOpen: server.OpenWith, OnUrlOpen: server.OpenWith}
	o.Linux.Icon = icon
	return wails.Run(o)
}
