//go:build linux

// Command x11test acts as another program on the X display, for tests: as the source of a drag or as
// the owner of the clipboard.
//
//	x11test drag TYPE FILE [TYPE FILE …]   shows a square in the corner of the screen, to be dragged with the mouse
//	x11test copy TYPE FILE [TYPE FILE …]   owns the clipboard
//
// It offers the contents of the files under their media types. It prints a line per event: "ready"; "over" and "away"
// when the window under the mouse starts or stops accepting the drag; "dropped" or "refused" after the button has been
// released. It exits at EOF.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "x11test:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 || len(args)%2 == 0 || args[0] != "drag" && args[0] != "copy" {
		return errors.New("usage: x11test drag|copy TYPE FILE [TYPE FILE …]")
	}
	conn, err := xgb.NewConn()
	if err != nil {
		return err
	}
	o := &offer{conn: conn, root: xproto.Setup(conn).DefaultScreen(conn).Root, atoms: map[string]xproto.Atom{}}
	for rest := args[1:]; len(rest) > 0; rest = rest[2:] {
		body, err := os.ReadFile(rest[1])
		if err != nil {
			return err
		}
		o.kinds = append(o.kinds, kind{o.atom(rest[0]), body})
	}
	if err := o.open(); err != nil {
		return err
	}
	handle := func(xgb.Event) {}
	if args[0] == "drag" {
		handle = (&drag{offer: o}).handle
	} else if err := xproto.SetSelectionOwnerChecked(conn, o.window, o.atom("CLIPBOARD"), xproto.TimeCurrentTime).Check(); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // only EOF matters
		conn.Close()
	}()
	fmt.Println("ready")
	for {
		event, err := conn.WaitForEvent()
		switch e := event.(type) {
		case nil:
			if err == nil {
				return nil // the connection was closed
			}
			return err
		case xproto.SelectionRequestEvent:
			if err := o.answer(e); err != nil {
				return err
			}
		default:
			handle(e)
		}
	}
}
