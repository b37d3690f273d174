package fakeagent

import (
	"strconv"
	"time"
)

// Clock is n pieces of the answer, one every so often: each is the time at which
// it is written, in milliseconds since the Unix epoch, and a space.
func Clock(n int, every time.Duration) Step { return Step{Do: "clock", N: n, Every: every} }

func (t *turn) clock(s Step) {
	tick := time.NewTicker(s.Every)
	defer tick.Stop()
	for range s.N {
		select {
		case <-tick.C:
		case <-t.ctx.Done():
			return
		}
		text := strconv.FormatInt(time.Now().UnixMilli(), 10) + " "
		t.mu.Lock()
		t.said.WriteString(text)
		t.mu.Unlock()
		t.update(t.s.ID, chunk("agent_message_chunk", text))
	}
}
