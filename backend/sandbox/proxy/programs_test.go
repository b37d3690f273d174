package proxy

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

// serveTCP starts a server that listens on a TCP port, like the relay in the sandbox, and returns the server and its
// URL.
func serveTCP(t *testing.T, cfg Config) (*Server, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := Start(l, cfg)
	t.Cleanup(func() { _ = s.Close() })
	return s, "http://" + l.Addr().String()
}

// run runs a program that can reach the network only through the proxy, and returns its output.
func run(t *testing.T, proxy, program string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), need.Programs(t, program), args...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir,
		"http_proxy=" + proxy, "https_proxy=" + proxy, "HTTP_PROXY=" + proxy, "HTTPS_PROXY=" + proxy,
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func TestPrograms_Curl(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, string(body)+"secret "+r.Host)
	}))
	defer secure.Close()
	plain := newOrigin(t)
	user := newUserProxy(t, secure.Listener.Addr().String(), false)
	_, proxy := serveTCP(t, Config{
		Allow: allowing("good.test"), Ports: []int{plain.port},
		Env: []string{"HTTPS_PROXY=" + user.URL},
	})
	upload := filepath.Join(t.TempDir(), "upload")
	if err := os.WriteFile(upload, bytes.Repeat([]byte("x"), 200<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := run(t, proxy, "curl", "-sSk", "--data-binary", "@"+upload, "https://good.test/path?query")
	if err != nil || !strings.HasSuffix(out, "xsecret good.test") || len(out) < 200<<10 {
		t.Errorf("allowed: got %d bytes, %.80s, %v", len(out), out, err)
	}
	if out, err = run(t, proxy, "curl", "-sS", "http://"+at("localhost", plain.port)+"/a", "http://"+at("127.0.0.1", plain.port)+"/b"); err != nil || strings.Count(out, "hello from ") != 2 {
		t.Errorf("listed port: got %q, %v", out, err)
	}
	if out, err = run(t, proxy, "curl", "-sSk", "https://bad.test/"); err == nil || !strings.Contains(out, "403") {
		t.Errorf("refused: got %q, %v", out, err)
	}
	if out, err = run(t, proxy, "curl", "-sS", "http://bad.test/"); err != nil || out != "VoxPilot's sandbox blocked bad.test:80: this site isn't allowed here.\n" {
		t.Errorf("refused: got %q, %v", out, err)
	}
	out, err = run(t, proxy, "curl", "-sS", "http://voxpilot.sandbox/blocked")
	var list []string
	if err != nil || json.Unmarshal([]byte(out), &list) != nil || !slices.Equal(list, []string{"bad.test:443", "bad.test:80"}) {
		t.Errorf("blocked: got %q, %v", out, err)
	}
}

// TestPrograms_Npm checks that npm can query a registry that only the user's own proxy can reach.
func TestPrograms_Npm(t *testing.T) {
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "registry.test" || r.URL.Path != "/fake-package" {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, `{"name":"fake-package","dist-tags":{"latest":"1.2.3"},"versions":{"1.2.3":{"name":"fake-package","version":"1.2.3","dist":{"tarball":"http://registry.test/x.tgz"}}}}`)
	}))
	defer registry.Close()
	user := newUserProxy(t, registry.Listener.Addr().String(), false)
	s, proxy := serveTCP(t, Config{Allow: allowing("registry.test"), Env: []string{"ALL_PROXY=" + user.URL}})
	cache := "--cache=" + filepath.Join(t.TempDir(), "cache")
	out, err := run(t, proxy, "npm", "view", "fake-package", "version", cache, "--registry=http://registry.test/")
	if err != nil || strings.TrimSpace(out) != "1.2.3" {
		t.Errorf("got %q, %v", out, err)
	}
	if out, err = run(t, proxy, "npm", "view", "fake-package", "version", cache, "--registry=http://other.test/", "--fetch-retries=0"); err == nil || !strings.Contains(out, "403") {
		t.Errorf("other registry: got %q, %v", out, err)
	}
	if list := s.Blocked(); len(list) != 1 || list[0].Host != "other.test" {
		t.Errorf("got %v", list)
	}
}

func BenchmarkTunnel(b *testing.B) {
	sink, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = sink.Close() }()
	go func() {
		for {
			conn, err := sink.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(io.Discard, conn)
				_ = conn.Close()
			}()
		}
	}()
	port := portOf(b, sink)
	l, err := net.Listen("unix", filepath.Join(b.TempDir(), "p"))
	if err != nil {
		b.Fatal(err)
	}
	s := Start(l, Config{Allow: allowing(), Ports: []int{port}})
	defer func() { _ = s.Close() }()
	open := func() net.Conn {
		conn, err := net.Dial("unix", l.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.WriteString(conn, "CONNECT "+at("127.0.0.1", port)+" HTTP/1.1\r\n\r\n"); err != nil {
			b.Fatal(err)
		}
		answer := make([]byte, len("HTTP/1.1 200 Connection established\r\n\r\n"))
		if _, err := io.ReadFull(conn, answer); err != nil {
			b.Fatal(err)
		}
		return conn
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			_ = open().Close()
		}
	})
	b.Run("copy", func(b *testing.B) {
		conn := open()
		chunk := make([]byte, 64<<10)
		b.SetBytes(int64(len(chunk)))
		for b.Loop() {
			if _, err := conn.Write(chunk); err != nil {
				b.Fatal(err)
			}
		}
		_ = conn.Close()
	})
}
