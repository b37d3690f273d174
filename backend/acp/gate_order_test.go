package acp

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

func TestGate_NotesOrderOfRequests(t *testing.T) {
	fromGate, sdk := io.Pipe()
	g := NewGate(slog.New(slog.DiscardHandler), sdk, io.Discard, &Wire{})
	g.Idle = func() {}
	var lines strings.Builder
	const n = 20
	for i := range n {
		fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"nth":%d}}`+"\n", i, i)
	}
	go func() {
		g.Read(strings.NewReader(lines.String()))
		_ = sdk.Close()
	}()
	var bodies [][]byte
	for in := bufio.NewScanner(fromGate); in.Scan(); {
		bodies = append(bodies, []byte(gjson.GetBytes(in.Bytes(), "params").Raw))
	}
	if len(bodies) != n {
		t.Fatalf("got %d requests, want %d", len(bodies), n)
	}
	// The SDK hands them on in any order, such as the last one first.
	times := make([]backend.Millis, n)
	for _, body := range slices.Backward(bodies) {
		whole, at := g.Unstash(body)
		times[gjson.GetBytes(whole, "nth").Int()] = at
	}
	for i := 1; i < n; i++ {
		if times[i] <= times[i-1] {
			t.Fatalf("got times %v, want each later than the one before", times)
		}
	}
}
