//go:build linux

// Command cmd is a system tray for the end-to-end tests.
//
//	cmd serve        runs a tray on the session bus until EOF on stdin
//	cmd look         prints the state of the newest item as JSON
//	cmd click LABEL  clicks an entry in the item's menu
//	cmd activate     clicks the item's icon
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/voxpilot/voxpilot/internal/traytest"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "serve" {
		tray, err := traytest.Open()
		if err != nil {
			return err
		}
		fmt.Println("serving")
		_, err = io.Copy(io.Discard, os.Stdin)
		return errors.Join(err, tray.Close())
	}
	item, err := traytest.NewestItem()
	if err != nil {
		return err
	}
	switch {
	case len(args) == 1 && args[0] == "look":
		look, err := item.Look()
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(look)
	case len(args) == 2 && args[0] == "click":
		return item.Click(args[1])
	case len(args) == 1 && args[0] == "activate":
		return item.Activate()
	}
	return fmt.Errorf("unknown arguments: %q", args)
}
