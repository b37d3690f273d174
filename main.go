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
	"os"
	"runtime"
	"strings"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/mac"

	loginshell "github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/backend/workspace"
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

//go:embed build/linux/window.png
var icon []byte

func main() {
	process.ExecIfAsked()
	loginshell.PrintIfAsked()
	workspace.DetachIfAsked()
	harden(runtime.GOOS, released)
	quickIfAsked()
	attachConsole()
	if code, ok := command(os.Args[1:], os.Stdout, os.Stderr); ok {
		os.Exit(code)
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "voxpilot:", err)
		os.Exit(1)
	}
}

// run claims the data directory before anything else, and ends where another
// VoxPilot has it. One that nobody can reach runs all the same: its window says
// what is wrong with the directory.
func run() error {
	start, err := parseBegin(os.Args[1:])
	if err != nil {
		return err
	}
	first, err := claim(start)
	if errors.Is(err, instance.ErrAlone) {
		fmt.Fprintln(os.Stderr, "voxpilot:", err)
	} else if err != nil || first == nil {
		return err
	}
	app := newApp(dataDir())
	app.first = first
	if start.hidden {
		app.frame.startHidden()
	}
	size := app.frame.begin()
	defer app.installUpdate() // when all else has ended
	defer app.quitOnSignals()()
	return wails.Run(&options.App{
		Title:            "VoxPilot",
		Width:            size.Width,
		Height:           size.Height,
		MinWidth:         leastWidth,
		MinHeight:        leastHeight,
		WindowStartState: size.state(),
		Menu:             app.menuBar(runtime.GOOS),
		BackgroundColour: options.NewRGB(0xF4, 0xF5, 0xF6),
		// The page has context menus of its own, except for the fields of macOS.
		EnableDefaultContextMenu: runtime.GOOS == "darwin",

		DragAndDrop:    &options.DragAndDrop{EnableFileDrop: true},
		AssetServer:    &assetserver.Options{Assets: page, Handler: app.data()},
		Bind:           []any{app},
		ErrorFormatter: formatError,
		StartHidden:    start.hidden,
		OnStartup:      func(ctx context.Context) { app.startup(ctx); app.opensWith(start.target) },
		OnBeforeClose:  app.beforeClose,
		OnShutdown:     app.shutdown,
		Logger:         wailsLog{app.log},
		LogLevel:       logger.WARNING,
		// The system has macOS open folders and links by the app that runs.
		Mac:   &mac.Options{OnFileOpen: app.opensWith, OnUrlOpen: app.opensWith},
		Linux: &linux.Options{Icon: icon, ProgramName: "voxpilot", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
}
