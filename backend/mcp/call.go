package mcp

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/voxpilot/voxpilot/backend/tools"
)

// call carries out one call. It ends early when the client says that it is
// cancelled, when the client goes away, and with the grant.
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
		// The text is the same, as the protocol asks for. Copilot shows both to
		// its model where they differ, and one where they do not.
		text = string(res.Structured)
		out.StructuredContent = res.Structured
	}
	out.Content = []sdk.Content{&sdk.TextContent{Text: text}}
	return out, nil
}

// minGap is the time between two lines of news; of those that come in it the
// newest is sent.
const minGap = 100 * time.Millisecond

// progressNotifier tells the client that a call still runs, and how it goes.
type progressNotifier struct {
	lines chan string // the newest line that was not sent
	stop  context.CancelFunc
	done  chan struct{}
}

// newNotifier sends news of the call until it ends: each line as it comes, and the
// last one again where none came for a while.
func (s *Server) newNotifier(ctx context.Context, r *sdk.CallToolRequest) *progressNotifier {
	ctx, stop := context.WithCancel(ctx)
	n := &progressNotifier{lines: make(chan string, 1), stop: stop, done: make(chan struct{})}
	token := r.Params.GetProgressToken()
	go func() {
		defer close(n.done)
		if token == nil {
			return // the client wants none
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
				s.cfg.Log.Debug("progress of a tool's call was not sent", "tool", r.Params.Name, "err", err)
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

// send takes a line and returns at once. A line that was not sent yet gives way
// to it.
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
