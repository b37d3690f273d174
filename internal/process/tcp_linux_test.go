package process

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPort_OtherProgramGetsNothing checks that if another program occupies the port before the agent, that program
// receives no data.
func TestPort_OtherProgramGetsNothing(t *testing.T) {
	dir := t.TempDir()
	said := filepath.Join(dir, "port")
	l := Spec{Path: "/bin/sh", Args: []string{"-c", `echo "$0" >"$1.new" && mv "$1.new" "$1" && exec sleep 1000`, portWord, said}, Env: os.Environ()}
	p, err := Start(l, dir, "", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	var port []byte
	for port == nil {
		if port, err = os.ReadFile(said); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	thief, err := net.Listen("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = thief.Close() }()
	got := make(chan []byte)
	go func() {
		conn, err := thief.Accept()
		if err != nil {
			close(got)
			return
		}
		b, _ := io.ReadAll(conn)
		_ = conn.Close()
		got <- b
	}()
	if _, err := p.Stdin.Write([]byte("secret")); !errors.Is(err, errStranger) {
		t.Errorf("got %v, want %v", err, errStranger)
	}
	if b := <-got; len(b) > 0 {
		t.Errorf("the other program got %q", b)
	}
	if !strings.Contains(p.Stderr.String(), "another program") {
		t.Errorf("got the reason %q", p.Stderr.String())
	}
}

func TestInodeOf_ReadsBothForms(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Skipf("%s: %v", address, err)
		}
		_, port, _ := net.SplitHostPort(l.Addr().String())
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			t.Fatal(err)
		}
		accepted, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		own, ok := conn.LocalAddr().(*net.TCPAddr)
		other, too := conn.RemoteAddr().(*net.TCPAddr)
		if !ok || !too {
			t.Fatalf("got the addresses %v and %v", conn.LocalAddr(), conn.RemoteAddr())
		}
		inode, err := inodeOf(other, own)
		if err != nil || inode == "0" || inode == "" {
			t.Errorf("%s: got the inode %q, %v", address, inode, err)
		}
		_, _, _ = conn.Close(), accepted.Close(), l.Close()
	}
}
