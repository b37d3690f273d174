package data

import (
	"context"
	"net/http"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
)

func (h *handler) cliSessions(ctx context.Context, e *engine.Engine, r *http.Request) (list backend.CLISessions, err error) {
	var numbers [3]int64
	for i, name := range []string{"since", "from", "to"} {
		if numbers[i], err = number(r, name, 0); err != nil {
			return list, err
		}
	}
	return e.SessionIndex.List(ctx, sessionindex.Query{
		Since: numbers[0], Text: r.FormValue("q"), Folder: r.FormValue("folder"),
		From: backend.Millis(numbers[1]), To: backend.Millis(numbers[2]),
	})
}

func (h *handler) cliSession(ctx context.Context, e *engine.Engine, r *http.Request) (backend.CLISessionPreview, error) {
	return e.SessionIndex.Preview(ctx, r.FormValue("home"), r.FormValue("id"))
}
