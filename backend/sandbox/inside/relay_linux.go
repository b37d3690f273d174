package inside

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// Limits of the relay.
const (
	dialTime    = 10 * time.Second
	statusTime  = time.Second
	maxAnswer   = 64 << 10 // bytes of the proxy's answer to a CONNECT
	maxBlocked  = 10       // hosts in a note
	maxHostName = 253
)

// relay connects 127.0.0.1 in the sandbox with the job's proxy and ports, and returns the environment for
// the command.
func relay(job Job, env []string) ([]string, error) {
	if job.Proxy == "" {
		return env, nil
	}
	for _, port := range job.Ports {
		server, err := net.Listen("tcp4", "127.0.0.1:"+strconv.Itoa(port)) //nolint:noctx // at once
		if err != nil {
			return nil, err
		}
		go serve(server, job.Proxy, port)
	}
	if !job.Sites {
		return env, nil
	}
	server, err := net.Listen("tcp4", "127.0.0.1:0") //nolint:noctx // at once
	if err != nil {
		return nil, err
	}
	go serve(server, job.Proxy, 0)
	return append(env, proxyVariables("http://"+server.Addr().String(), env)...), nil
}

// proxyVariables returns the variables with which programs find the proxy at url.
func proxyVariables(url string, env []string) []string {
	const direct = "localhost,127.0.0.1,::1"
	var vars []string
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		vars = append(vars, name+"="+url, strings.ToLower(name)+"="+url)
	}
	// Node before 24 has no such option and ignores the variable.
	vars = append(vars, "NO_PROXY="+direct, "no_proxy="+direct, "NODE_USE_ENV_PROXY=1",
		"npm_config_proxy="+url, "npm_config_https_proxy="+url, "npm_config_noproxy="+direct,
		"YARN_HTTP_PROXY="+url, "YARN_HTTPS_PROXY="+url, "PIP_PROXY="+url, "CARGO_HTTP_PROXY="+url)
	// A proxy in git's configuration would take precedence over the variables.
	count := 0
	for _, v := range env {
		if n, ok := strings.CutPrefix(v, "GIT_CONFIG_COUNT="); ok {
			count, _ = strconv.Atoi(n)
		}
	}
	return append(vars, fmt.Sprintf("GIT_CONFIG_COUNT=%d", count+1), fmt.Sprintf("GIT_CONFIG_KEY_%d=http.proxy", count), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count, url))
}

// serve connects each client with the proxy, or through it with a local port if port isn't 0.
func serve(server net.Listener, proxy string, port int) {
	for {
		conn, err := server.Accept()
		if err != nil {
			time.Sleep(dialTime / 1000) // such as too many open files
			continue
		}
		go func() {
			defer conn.Close()
			up, err := net.DialTimeout("unix", proxy, dialTime)
			if err != nil {
				return
			}
			defer up.Close()
			from := io.Reader(up)
			if port != 0 {
				if from, err = connect(up, "127.0.0.1:"+strconv.Itoa(port)); err != nil {
					return
				}
			}
			both(conn, up, from)
		}()
	}
}

// connect asks the proxy for a connection to address and returns the reader of its data.
func connect(up net.Conn, address string) (io.Reader, error) {
	_ = up.SetDeadline(time.Now().Add(dialTime))
	if _, err := fmt.Fprintf(up, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", address, address); err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(up, maxAnswer)
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		text := strings.TrimSpace(string(line))
		switch {
		case err != nil:
			return nil, err
		case first && !strings.HasPrefix(text, "HTTP/1.1 200") && !strings.HasPrefix(text, "HTTP/1.0 200"):
			return nil, fmt.Errorf("the proxy answered %q", text)
		case text == "":
			return r, up.SetDeadline(time.Time{})
		}
	}
}

// both copies in both directions until both have ended. from is the reader of up.
func both(conn, up net.Conn, from io.Reader) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(up, conn)
		closeWrite(up)
	}()
	_, _ = io.Copy(conn, from)
	closeWrite(conn)
	<-done
}

func closeWrite(conn net.Conn) {
	if c, ok := conn.(interface{ CloseWrite() error }); ok {
		_ = c.CloseWrite()
	}
}

// blocked returns the hosts that the proxy refused in this run, without those that aren't plain names.
func blocked(proxy string) []string {
	conn, err := net.DialTimeout("unix", proxy, statusTime)
	if err != nil {
		return nil
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(statusTime))
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.0\r\nHost: voxpilot.sandbox\r\n\r\n", Blocked); err != nil {
		return nil
	}
	answer, _ := io.ReadAll(io.LimitReader(conn, maxAnswer))
	head, body, ok := strings.Cut(string(answer), "\r\n\r\n")
	var hosts []string
	if !ok || !strings.Contains(strings.SplitN(head, "\r\n", 2)[0], " 200") || json.Unmarshal([]byte(body), &hosts) != nil {
		return nil
	}
	var plain []string
	for _, host := range hosts {
		if len(plain) < maxBlocked && host != "" && len(host) <= maxHostName && strings.Trim(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]") == "" {
			plain = append(plain, host)
		}
	}
	return plain
}
