package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"time"

	"github.com/coder/websocket"
)

// inspector evaluates code in the page of a WebKitGTK window through its Web Inspector,
// which the build tag devtools and WEBKIT_INSPECTOR_HTTP_SERVER enable.
type inspector struct {
	closed bool
	conn   *websocket.Conn
	target string // id of the page
	ids    int
}

// pagePath matches the entry of an inspectable page in the list of pages.
var pagePath = regexp.MustCompile(`/socket/\d+/\d+/WebPage`)

// inspect waits until the page of the window whose Web Inspector has the given address can be inspected, and connects
// to that page.
func inspect(ctx context.Context, address string) (*inspector, error) {
	var path string
	for path == "" {
		if err := wait(ctx, 50*time.Millisecond); err != nil {
			return nil, fmt.Errorf("no page appeared: %w", err)
		}
		list, err := get(ctx, "http://"+address+"/")
		if err == nil {
			path = pagePath.FindString(list)
		}
	}
	conn, response, err := websocket.Dial(ctx, "ws://"+address+path, nil)
	if err != nil {
		return nil, err
	}
	if response.Body != nil {
		_ = response.Body.Close()
	}
	conn.SetReadLimit(64 << 20)
	i := &inspector{conn: conn}
	for i.target == "" {
		var m struct {
			Method string `json:"method"`
			Params struct {
				TargetInfo struct {
					ID   string `json:"targetId"`
					Type string `json:"type"`
				} `json:"targetInfo"`
			} `json:"params"`
		}
		if err := i.read(ctx, &m); err != nil {
			return nil, errors.Join(err, i.close())
		}
		if m.Method == "Target.targetCreated" && m.Params.TargetInfo.Type == "page" {
			i.target = m.Params.TargetInfo.ID
		}
	}
	return i, nil
}

// evaluate evaluates a JavaScript expression in the page. The expression's value must be a string of JSON, which is
// decoded into *value.
func (i *inspector) evaluate(ctx context.Context, expression string, value any) error {
	i.ids++
	inner, err := json.Marshal(map[string]any{
		"id": i.ids, "method": "Runtime.evaluate", "params": map[string]any{"expression": expression, "returnByValue": true},
	})
	if err != nil {
		return err
	}
	outer, err := json.Marshal(map[string]any{
		"id": i.ids, "method": "Target.sendMessageToTarget", "params": map[string]any{"targetId": i.target, "message": string(inner)},
	})
	if err != nil {
		return err
	}
	if err := i.conn.Write(ctx, websocket.MessageText, outer); err != nil {
		return err
	}
	for {
		var m struct {
			Method string `json:"method"`
			Params struct {
				Message string `json:"message"`
			} `json:"params"`
		}
		if err := i.read(ctx, &m); err != nil {
			return err
		}
		if m.Method != "Target.dispatchMessageFromTarget" {
			continue
		}
		var answer struct {
			ID     int `json:"id"`
			Result struct {
				Thrown bool `json:"wasThrown"`
				Result struct {
					Value       string `json:"value"`
					Description string `json:"description"`
				} `json:"result"`
			} `json:"result"`
		}
		if err := json.Unmarshal([]byte(m.Params.Message), &answer); err != nil || answer.ID != i.ids {
			continue // an event of the page
		}
		if answer.Result.Thrown {
			return fmt.Errorf("the page threw %s", answer.Result.Result.Description)
		}
		return json.Unmarshal([]byte(answer.Result.Result.Value), value)
	}
}

func (i *inspector) read(ctx context.Context, into any) error {
	_, data, err := i.conn.Read(ctx)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

func (i *inspector) close() error {
	if i.closed {
		return nil
	}
	i.closed = true
	return i.conn.CloseNow()
}

func get(ctx context.Context, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// freeAddress returns a local address on which no process listens.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
