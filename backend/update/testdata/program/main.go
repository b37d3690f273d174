// Program is a minimal VoxPilot for tests: it has a version, updates itself, and is
// controlled by environment variables.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/update"
)

// version is the program's version, and fault is the failure to simulate. Both are set at build time.
var version, fault string

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		if fault == "version" {
			os.Exit(1)
		}
		fmt.Println("voxpilot " + version)
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	note("starts")
	if fault == "start" {
		os.Exit(3)
	}
	into, err := update.Find()
	if err != nil {
		return err
	}
	told := make(chan backend.Update, 1000)
	u := update.New(update.Config{
		Feed: os.Getenv("TEST_FEED"), Keys: os.Getenv("TEST_KEYS"), Version: version, Dir: os.Getenv("TEST_DIR"), Install: into,
		IsEnabled: func() bool { return false }, Publish: func(now backend.Update) { told <- now }, Log: slog.Default(),
	})
	u.Start()
	until := func(states ...backend.UpdateState) backend.Update {
		for now := range told {
			for _, state := range states {
				if now.State == state {
					return now
				}
			}
		}
		panic("nobody closes it")
	}
	if now := until(backend.UpdateIdle, backend.UpdateNone, backend.UpdateAvailable, backend.UpdateReady, backend.UpdateFailed); now.State != backend.UpdateIdle {
		note("is", string(now.State), now.Message.String())
		u.Close()
		note("ends")
		return nil
	}
	if err := u.Check(); err != nil {
		return err
	}
	until(backend.UpdateAvailable)
	if err := u.Download(); err != nil {
		return err
	}
	until(backend.UpdateReady)
	p, err := u.Ready()
	if err != nil {
		return err
	}
	quit, err := p.Prepare(context.Background())
	if err != nil {
		u.Failed(p, err)
		note("is", "kept", until(backend.UpdateFailed).Message.String())
		u.Close()
		return nil
	}
	u.Close()
	note("installs", fmt.Sprint(quit))
	err = p.Install(os.Environ(), func() bool { return os.Getenv("TEST_NEWER") == "" }, slog.Default())
	note("ends", fmt.Sprint(err != nil))
	return nil
}

// note writes a line for the test.
func note(words ...string) {
	file, err := os.OpenFile(os.Getenv("TEST_NOTES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	line := version
	for _, word := range words {
		line += " " + word
	}
	if _, err := fmt.Fprintln(file, line); err != nil {
		panic(err)
	}
}
