package mcp

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/voxpilot/voxpilot/backend/tools"
)

// call executes one tool call. It ends the call early if the client cancels it or disconnects, or if the chat's access
// is revoked.
func (s *Server) call(ctx context.Context, g *chatGrant, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(g.ctx, cancel)()
	if r.Extra != nil {
		defer context.AfterFunc(requestOf(r.Extra.TokenInfo), cancel)()
	}
	news := s.newNotifier(ctx, r)
	defer news.end()
	res := s.cfg.Run(ctx, tools.Call{
		ChatID: g.chatID, TurnID: s.cfg.Turn(g.chatID), Name: r.Params.Name, Arguments: r.Params.Arguments, Progress: news.send,
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &sdk.CallToolResult{IsError: res.IsError}
	text := res.Text
	if res.Structured != nil {
		// The protocol requires the text to be equal to the structured result. If they differ, Copilot passes both to
		// its model; otherwise, it passes only one.
		text = string(res.Structured)
		out.StructuredContent = res.Structured
	}
	out.Content = []sdk.Content{&sdk.TextContent{Text: text}}
	return out, nil
}

// minGap is the minimum time between two progress notifications. If several lines arrive in that time, only the last
// one is sent.
const minGap = 100 * time.Millisecond

// progressNotifier sends progress notifications for a running call to the client.
type progressNotifier struct {
	lines chan string // the latest unsent line
	stop  context.CancelFunc
	done  chan struct{}
}

// newNotifier returns a notifier that sends progress notifications, if the client requested them, until its method end
// is called or ctx ends. It sends each line as it arrives, but at most one per minGap. If no line arrives for
// cfg.Every, it repeats the last one.
func (s *Server) newNotifier(ctx context.Context, r *sdk.CallToolRequest) *progressNotifier {
	ctx, stop := context.WithCancel(ctx)
	n := &progressNotifier{lines: make(chan string, 1), stop: stop, done: make(chan struct{})}
	token := r.Params.GetProgressToken()
	go func() {
		defer close(n.done)
		if token == nil {
			return // the client didn't request progress
		}
		tick := time.NewTicker(s.cfg.Every)
		defer tick.Stop()
		last := "Working"
		for sent := 1; ; sent++ {
			select {
			case <-ctx.Done():
				return
			case last = <-n.lines:
			case <-tick.C:
			}
			if err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(sent), Message: last}); err != nil {
				s.cfg.Log.Debug("couldn't send the progress of a tool call", "tool", r.Params.Name, "err", err)
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(minGap):
			}
		}
	}()
	return n
}

// send queues a line without blocking. The line replaces one that hasn't been sent yet.
func (n *progressNotifier) send(line string) {
	for {
		select {
		case n.lines <- line:
			return
		default:
		}
		select {
		case <-n.lines:
		default:
		}
	}
}

func (n *progressNotifier) end() {
	n.stop()
	<-n.done
}
