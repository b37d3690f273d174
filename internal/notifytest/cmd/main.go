//go:build linux

// Command cmd is a notification server for tests that are not written in Go. Whenever the notifications change, it
// prints all of those shown as one line of JSON. It reads clicks from stdin as lines of the form "ID ACTION", and
// exits at EOF.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/internal/notifytest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "notifytest:", err)
		os.Exit(1)
	}
}

func run() error {
	s, err := notifytest.NewServer("actions", "body", "body-markup")
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, end := context.WithCancel(context.Background())
	defer end()
	go func() {
		out := json.NewEncoder(os.Stdout)
		var last []notifytest.Notification
		for first := true; ctx.Err() == nil; first = false {
			last, _ = s.WaitFor(ctx, func(now []notifytest.Notification) bool { return first || !reflect.DeepEqual(now, last) })
			_ = out.Encode(last)
		}
	}()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		id, action, _ := strings.Cut(lines.Text(), " ")
		n, err := strconv.ParseUint(id, 10, 32)
		if err != nil {
			return err
		}
		s.Invoke(uint32(n), action)
	}
	return lines.Err()
}
