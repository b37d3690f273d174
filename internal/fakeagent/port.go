package fakeagent

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
)

// PortArgs make the agent listen on a TCP port, whose number replaces {port}. Like the Copilot CLI, the
// agent then keeps running when a client disconnects, and waits for the next one.
var PortArgs = []string{"--port", "{port}"}

// SocketArgs make the agent listen on a Unix socket, whose path replaces {socket}.
var SocketArgs = []string{"--socket", "{socket}"}

// serve handles one client after another on the socket or port given in the arguments. It returns false if the
// arguments contain neither.
func (a *agent) serve() bool {
	network, address := "tcp", "127.0.0.1:"
	i := slices.Index(os.Args, PortArgs[0])
	if i < 0 {
		network, address = "unix", ""
		i = slices.Index(os.Args, SocketArgs[0])
	}
	if i < 0 || i+1 >= len(os.Args) {
		return false
	}
	l, err := net.Listen(network, address+os.Args[i+1]) //nolint:noctx // lives as long as the process
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
		os.Exit(1)
	}
	for {
		conn, err := l.Accept()
		if err != nil {
			fmt.Fprintln(os.Stderr, "fakeagent:", err)
			os.Exit(1)
		}
		a.wmu.Lock()
		a.out = bufio.NewWriterSize(conn, 64<<10)
		a.wmu.Unlock()
		a.read(conn)
		a.mu.Lock()
		for _, s := range a.loaded {
			if s.cancel != nil {
				s.cancel()
			}
		}
		a.loaded = map[string]*session{}
		a.mu.Unlock()
		_ = conn.Close()
	}
}

// read handles messages from a client until it disconnects.
func (a *agent) read(from io.Reader) {
	in := bufio.NewReaderSize(from, 1<<20)
	for n := 1; ; n++ {
		if a.script.DeafAfter > 0 && n > a.script.DeafAfter {
			select {}
		}
		line, err := in.ReadBytes('\n')
		a.takeLine(line)
		if err != nil {
			return
		}
	}
}
