package proxy

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"
	"golang.org/x/net/proxy"

	"github.com/voxpilot/voxpilot/internal/hostname"
)

// upstreamOf returns a function that determines the proxy for a URL from the proxy variables in env. That function
// returns nil if the URL is to be reached without a proxy.
func upstreamOf(env []string) func(*url.URL) (*url.URL, error) {
	get := func(name string) (value string) {
		for _, kv := range env {
			n, v, _ := strings.Cut(kv, "=")
			if n == name || n == strings.ToLower(name) && v != "" {
				value = v
			}
		}
		return value
	}
	all := get("ALL_PROXY")
	config := httpproxy.Config{
		HTTPProxy:  cmp.Or(get("HTTP_PROXY"), all),
		HTTPSProxy: cmp.Or(get("HTTPS_PROXY"), all),
		NoProxy:    get("NO_PROXY"),
	}
	return config.ProxyFunc()
}

// proxyFor returns the user's proxy for a connection to a host and port, or nil if there is none.
func (s *Server) proxyFor(host string, port int, tunnel bool) *url.URL {
	scheme := "http"
	if tunnel {
		scheme = "https"
	}
	u, err := s.upstream(&url.URL{Scheme: scheme, Host: hostname.Join(host, port)})
	if err != nil {
		return nil // the address of the proxy can't be used
	}
	return u
}

// openUpstream connects to a host through the user's proxy u. If u is an HTTP proxy and tunnel is false, the connection
// leads to the proxy itself, and openUpstream also returns the proxy's URL.
func (s *Server) openUpstream(ctx context.Context, u *url.URL, host string, port int, tunnel bool) (net.Conn, *url.URL, error) {
	dialer := &net.Dialer{}
	if u.Scheme == "socks5" || u.Scheme == "socks5h" {
		var auth *proxy.Auth
		if u.User != nil {
			password, _ := u.User.Password()
			auth = &proxy.Auth{User: u.User.Username(), Password: password}
		}
		socks, err := proxy.SOCKS5("tcp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "1080")), auth, dialer)
		if err != nil {
			return nil, nil, err
		}
		dial, ok := socks.(proxy.ContextDialer)
		if !ok {
			return nil, nil, errors.ErrUnsupported
		}
		conn, err := dial.DialContext(ctx, "tcp", hostname.Join(host, port))
		return conn, nil, err
	}
	usual := "80"
	if u.Scheme == "https" {
		usual = "443"
	}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), usual)))
	if err != nil {
		return nil, nil, err
	}
	if u.Scheme == "https" {
		secure := tls.Client(conn, &tls.Config{ServerName: u.Hostname(), RootCAs: s.cfg.Roots, MinVersion: tls.VersionTLS12})
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, nil, err
		}
		conn = secure
	}
	if !tunnel {
		plain := *u
		plain.Scheme = "http" // conn is already encrypted
		return conn, &plain, nil
	}
	through, err := s.connect(ctx, conn, u.User, hostname.Join(host, port))
	if err != nil {
		_ = conn.Close()
		return nil, nil, err
	}
	return through, nil, nil
}

// connect requests a tunnel to authority from the proxy at the other end of conn.
func (s *Server) connect(ctx context.Context, conn net.Conn, user *url.Userinfo, authority string) (net.Conn, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	request := "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n"
	if user != nil {
		password, _ := user.Password()
		request += "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)) + "\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		return nil, err
	}
	limited := &io.LimitedReader{R: conn, N: int64(s.limits.header)}
	reader := bufio.NewReader(limited)
	response, err := http.ReadResponse(reader, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, upstreamError(response.StatusCode)
	}
	if !stop() {
		return nil, ctx.Err()
	}
	early, err := reader.Peek(reader.Buffered())
	if err != nil {
		return nil, err
	}
	if len(early) == 0 {
		return conn, nil
	}
	return &earlyConn{Conn: conn, early: early}, nil
}
