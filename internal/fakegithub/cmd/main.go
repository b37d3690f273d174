// Command cmd is a fake GitHub for the end-to-end tests. It prints its address as the first line, accepts commands at
// /_control (fakegithub.Command), and exits at EOF or on a signal. It exits with an error if a client misbehaved.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on")
	interval := flag.Int("interval", 1, "seconds between polls for a code")
	flag.Parse()
	if err := run(*addr, time.Duration(*interval)*time.Second); err != nil {
		fmt.Fprintln(os.Stderr, "fakegithub:", err)
		os.Exit(1)
	}
}

func run(addr string, interval time.Duration) error {
	s, err := fakegithub.Start(addr)
	if err != nil {
		return err
	}
	s.Codes(interval, 15*time.Minute)
	fmt.Println(s.URL)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	<-ctx.Done()
	return s.Close()
}
