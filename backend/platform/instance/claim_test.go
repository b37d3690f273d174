package instance

import (
	"bufio"
	"errors"
	"testing"
)

// TestClaim_TakesOverFromProcessThatExits checks that if the running VoxPilot is killed before it responds to a
// request, the process that sent the request becomes the instance. If the request contains a message, the process
// instead returns an error, so that the message can't be sent twice.
func TestClaim_TakesOverFromProcessThatExits(t *testing.T) {
	for _, text := range []string{"", "a message"} {
		dir := newDataDir(t)
		dying, err := claim(dir)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if conn, err := dying.server.Accept(); err == nil {
				_, _ = bufio.NewReader(conn).ReadString('\n')
				_ = conn.Close()
			}
			dying.Stop()
			dying.Release()
		}()
		i, err := Claim(t.Context(), dir, Request{Verb: Open, Text: text})
		<-ended
		if text == "" {
			if err != nil || i == nil {
				t.Fatalf("Claim: %v, %v", i, err)
			}
			i.Stop()
			i.Release()
		} else if !errors.Is(err, errDisconnected) {
			t.Errorf("with a message, Claim: %v, %v", i, err)
		}
	}
}
