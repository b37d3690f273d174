package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// pageSize is how many entries of a transcript one page holds.
const pageSize = 60

// pullSize bounds one range of a text or body.
const pullSize = 1 << 20

// data serves what the page pulls: snapshots, pages of history, texts, bodies.
// In the window only the page itself can reach it (the webview's own scheme).
//
//	GET /data/app                            backend.Snapshot: everything but transcripts
//	GET /data/chat?id=                       backend.Snapshot: the newest page of a chat
//	GET /data/items?chat=&before=&parent=    backend.Snapshot: the page before a position, of the transcript or of a block
//	GET /data/items?chat=&after=             backend.Snapshot: the page after a position of the transcript; 0 is its beginning
//	GET /data/items?chat=&around=            backend.Snapshot: a page of the transcript with the item of a position in its middle
//	GET /data/search?q=&folder=&chat=&from=&to=&limit=&before=  backend.Hits: titles and items of all chats that hold all words
//	GET /data/find?chat=&q=                  backend.Places: items of a chat that hold a text
//	GET /data/spot?item=&q=&n=               backend.Spot: where it stands in an item for the nth time; null where it does not
//	GET /data/event?seq=                     backend.Event: one that was too large to emit
//	GET /data/text?item=&offset=&limit=      text/plain, the whole's size in X-Size
//	GET /data/content?id=&offset=&limit=     the body, its whole size in X-Size, its version in X-Version
//	GET /data/avatar                         the picture of the user's account at GitHub
//	GET /data/folder?path=                   workspace.Folder
//	GET /data/files?chat=&folder=&q=&limit=  workspace.Found: files of a chat's folder, or of a folder, by parts of their names
//	GET /data/sessions?chat=                 {"sessions": []backend.SessionWork}: what each session of a chat has done
//	GET /data/processes                      []backend.Process: the agents that run, and what they started
//	GET /data/protocol?chat=&after=&filter=&limit=  {"frames": []backend.Frame}: the newest after a number, oldest first
//	GET /data/audit?before=&limit=           {"permissions": []backend.Permission}: requests before a time, newest first
//	GET /data/changes?chat=&session=         changes.List: the files that a chat has changed
//	GET /data/diff?chat=&path=&session=      changes.Diff: what it has changed in one of them
//	GET /data/commands?chat=                 {"commands": []store.Command}: the newest that its agents ran
//	GET /data/agent-sessions?chat=&cursor=   {"sessions": []agentSession, "cursor"}: what the chat's agent has in its folder, a page
//	GET /data/declared?provider=             {"modes": []backend.Choice, "options": []backend.ConfigOption}: what new chats can begin with
//	GET /data/trust?id=&file=                trust.Text: a file that a request for trust lists
//	GET /data/licences                       {"components": […]}: what is shipped, with its licences
//	GET /data/doctor                         diagnosis: the doctor's report
func (a *App) data() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /data/app", a.serve(a.appSnapshot))
	mux.HandleFunc("GET /data/chat", a.serve(a.chatSnapshot))
	mux.HandleFunc("GET /data/items", a.serve(a.items))
	mux.HandleFunc("GET /data/search", a.serve(a.search))
	mux.HandleFunc("GET /data/find", a.serve(a.find))
	mux.HandleFunc("GET /data/spot", a.serve(a.spot))
	mux.HandleFunc("GET /data/event", a.serve(a.oneEvent))
	mux.HandleFunc("GET /data/text", a.serve(a.text))
	mux.HandleFunc("GET /data/content", a.serve(a.content))
	mux.HandleFunc("GET /data/avatar", a.serve(a.avatar))
	mux.HandleFunc("GET /data/folder", a.serve(a.folder))
	mux.HandleFunc("GET /data/files", a.serve(a.files))
	mux.HandleFunc("GET /data/sessions", a.serve(a.sessions))
	mux.HandleFunc("GET /data/processes", a.serve(a.processes))
	mux.HandleFunc("GET /data/protocol", a.serve(a.protocol))
	mux.HandleFunc("GET /data/audit", a.serve(a.audit))
	mux.HandleFunc("GET /data/changes", a.serve(a.changes))
	mux.HandleFunc("GET /data/diff", a.serve(a.diff))
	mux.HandleFunc("GET /data/commands", a.serve(a.commands))
	mux.HandleFunc("GET /data/agent-sessions", a.serve(a.agentSessions))
	mux.HandleFunc("GET /data/declared", a.serve(a.declared))
	mux.HandleFunc("GET /data/trust", a.serve(a.trustText))
	mux.HandleFunc("GET /data/licences", a.serve(a.licences))
	mux.HandleFunc("GET /data/doctor", a.serve(a.doctor))
	return mux
}

// body is an answer that is not JSON.
type body struct {
	mime string
	head map[string]string
	data []byte
}

// serve answers with what get returns: a body as it is, anything else as JSON,
// an error as {code, message, detail}. Wails' request context is never
// cancelled in the window, so each request is bounded in time here.
func (a *App) serve(get func(ctx context.Context, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), callTime)
		defer cancel()
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		answer, err := get(ctx, r)
		if b, ok := answer.(body); ok && err == nil {
			h.Set("Content-Type", b.mime)
			for k, v := range b.head {
				h.Set(k, v)
			}
			_, _ = w.Write(b.data) // the page went away: nobody to tell
			return
		}
		status := http.StatusOK
		if err != nil {
			answer, status = formatError(err), statusOf(err)
		}
		text, err := json.Marshal(answer)
		if err != nil {
			a.log.Error("an answer could not be encoded", "path", r.URL.Path, "err", err)
			status, text = http.StatusInternalServerError, []byte(`{"code":"unavailable","message":"The answer could not be encoded."}`)
		}
		h.Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(text)
	}
}

func statusOf(err error) int {
	switch backend.CodeOf(err) {
	case backend.CodeInvalid:
		return http.StatusBadRequest
	case backend.CodeNotFound:
		return http.StatusNotFound
	case backend.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	default:
		return http.StatusInternalServerError
	}
}

// openingShown is how long the window waits for the database before it says that
// it is being opened, which as a rule takes some 30 ms.
const openingShown = 400 * time.Millisecond

// appSnapshot answers even where there is no database, with how it stands. What
// changes then comes as an event of another run, and the page begins afresh.
func (a *App) appSnapshot(ctx context.Context, _ *http.Request) (any, error) {
	e, err := a.OpenIn(openingShown)
	if err != nil {
		opened, storage := a.Now()
		if opened == nil {
			return backend.Snapshot{Run: "closed", Events: []backend.Event{{Storage: &storage}}}, nil
		}
		e = opened // in this moment
	}
	var held []backend.Event
	s, err := e.snapshot(ctx, func(ctx context.Context, v *store.View, s *backend.Snapshot) error {
		s.Events, err = v.AppEvents(ctx)
		return err
	}, func() { held = e.feed.Held() })
	s.Events = append(s.Events, held...)
	return s, err
}

func (a *App) chatSnapshot(ctx context.Context, r *http.Request) (any, error) {
	e, err := a.Open()
	if err != nil {
		return nil, err
	}
	return e.snapshot(ctx, func(ctx context.Context, v *store.View, s *backend.Snapshot) (err error) {
		s.Events, s.Before, err = v.ChatEvents(ctx, r.FormValue("id"), pageSize)
		return err
	}, nil)
}

func (a *App) items(ctx context.Context, r *http.Request) (any, error) {
	e, err := a.Open()
	if err != nil {
		return nil, err
	}
	return e.snapshot(ctx, func(ctx context.Context, v *store.View, s *backend.Snapshot) (err error) {
		s.Events, s.Before, err = pageOf(ctx, r, v)
		return err
	}, nil)
}

// snapshot reads rows exactly as they are at the snapshot's Seq: the read
// transaction begins while the feed can number nothing, and is read at leisure.
// also runs at the same moment.
func (e *Engine) snapshot(ctx context.Context, read func(context.Context, *store.View, *backend.Snapshot) error, also func()) (backend.Snapshot, error) {
	s := backend.Snapshot{Run: e.run}
	var view *store.View
	err := e.feed.Snapshot(ctx, func(seq uint64) (err error) {
		s.Seq = seq
		if also != nil {
			also()
		}
		view, err = e.store.BeginView(ctx)
		return err
	})
	if err != nil {
		return s, err
	}
	defer view.Close()
	err = read(ctx, view, &s)
	if s.Events == nil {
		s.Events = []backend.Event{} // the page reads a list, not null
	}
	return s, err
}

func (a *App) oneEvent(_ context.Context, r *http.Request) (any, error) {
	e, err := a.Open()
	if err != nil {
		return nil, err
	}
	seq, err := number(r, "seq", 0)
	if err != nil {
		return nil, err
	}
	ev, ok := e.feed.Event(uint64(seq))
	if !ok {
		return nil, &backend.Error{Code: backend.CodeNotFound, Message: "This event is not held any more. Begin with a snapshot."}
	}
	return ev, nil
}

func (a *App) text(ctx context.Context, r *http.Request) (any, error) {
	e, offset, limit, err := a.ranged(r)
	if err != nil {
		return nil, err
	}
	data, size, err := e.store.Text(ctx, r.FormValue("item"), offset, limit)
	return body{mime: "text/plain; charset=utf-8", head: map[string]string{"X-Size": strconv.FormatInt(size, 10)}, data: data}, err
}

// content serves bodies as bytes that no webview takes for a page: an image
// under its own type, all else as plain text.
func (a *App) content(ctx context.Context, r *http.Request) (any, error) {
	e, offset, limit, err := a.ranged(r)
	if err != nil {
		return nil, err
	}
	if image, ok := e.held.get(r.FormValue("id")); ok {
		if !r.Form.Has("limit") {
			limit = int64(len(image.data))
		}
		return part(image.data, image.Mime, offset, limit), nil
	}
	data, c, err := e.store.Content(ctx, r.FormValue("id"), offset, limit)
	if err == nil && c.Type == backend.ContentImage && !r.Form.Has("limit") { // an element of the page asks for it
		data, c, err = e.store.Content(ctx, c.ID, offset, 0)
	}
	b := body{mime: "text/plain; charset=utf-8", data: data, head: map[string]string{
		"X-Size": strconv.FormatInt(c.Size, 10), "X-Version": strconv.FormatInt(c.Version, 10),
	}}
	if c.Type == backend.ContentImage && safeImage[c.Mime] {
		b.mime = c.Mime
	}
	return b, err
}

// part is a range of an image that no chat has yet.
func part(data []byte, mime string, offset, limit int64) body {
	size := int64(len(data))
	from := min(max(offset, 0), size)
	return body{mime: mime, data: data[from:min(from+limit, size)], head: map[string]string{
		"X-Size": strconv.FormatInt(size, 10), "X-Version": "1",
	}}
}

// safeImage are the image types that hold no script.
var safeImage = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

func (a *App) ranged(r *http.Request) (e *Engine, offset, limit int64, err error) {
	if e, err = a.Open(); err != nil {
		return
	}
	if offset, err = number(r, "offset", 0); err != nil {
		return
	}
	limit, err = number(r, "limit", pullSize)
	return e, offset, min(limit, pullSize), err
}

func (a *App) avatar(context.Context, *http.Request) (any, error) {
	e, err := a.Open()
	if err != nil {
		return nil, err
	}
	picture, mime := e.auth.Avatar()
	if !safeImage[mime] {
		return nil, &backend.Error{Code: backend.CodeNotFound, Message: "The account has no picture."}
	}
	return body{mime: mime, data: picture}, nil
}

func (a *App) folder(ctx context.Context, r *http.Request) (any, error) {
	path := r.FormValue("path")
	count, loginPath := false, os.Getenv("PATH")
	if e, err := a.Open(); err == nil {
		loginPath = e.loginPath()
		resolved, err := workspace.Resolve(path)
		count = err == nil && e.chats.Uses(resolved)
	}
	return workspace.Describe(ctx, loginPath, path, count), nil
}

// maxList bounds how many entries of a list one request gets.
const maxList = 500

func (a *App) sessions(ctx context.Context, r *http.Request) (any, error) {
	e, err := a.Open()
	if err != nil {
		return nil, err
	}
	sessions, err := e.store.SessionWork(ctx, r.FormValue("chat"))
	return map[string]any{"sessions": sessions}, err
}

func (a *App) processes(context.Context, *http.Request) (any, error) {
	e, err := a.Open()
	if err != nil {
		return nil, err
	}
	return e.agents.processes(), nil
}

// maxFrames is how many messages of the protocol log one request gets: all that
// are kept.
const maxFrames = 5000

// protocol is empty for a chat whose agent has not run since VoxPilot started.
func (a *App) protocol(_ context.Context, r *http.Request) (any, error) {
	e, err := a.Open()
	if err != nil {
		return nil, err
	}
	after, err := number(r, "after", 0)
	if err != nil {
		return nil, err
	}
	limit, err := number(r, "limit", maxList)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Frames []backend.Frame `json:"frames"`
	}
	if agent, err := e.agents.running(r.FormValue("chat")); err == nil {
		answer.Frames = agent.Protocol(uint64(after), r.FormValue("filter"), int(min(max(limit, 1), maxFrames)))
	}
	if answer.Frames == nil {
		answer.Frames = []backend.Frame{} // the page reads a list, not null
	}
	return answer, nil
}

// listLimit is how many entries of a list are asked for, at most maxList.
func listLimit(r *http.Request) (int, error) {
	limit, err := number(r, "limit", maxList)
	return int(min(max(limit, 1), maxList)), err
}

func (a *App) audit(ctx context.Context, r *http.Request) (any, error) {
	e, err := a.Open()
	if err != nil {
		return nil, err
	}
	before, err := number(r, "before", 1<<62)
	if err != nil {
		return nil, err
	}
	limit, err := listLimit(r)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Permissions []backend.Permission `json:"permissions"`
	}
	answer.Permissions, err = e.store.Permissions(ctx, backend.Millis(before), limit)
	return answer, err
}

// number is a query parameter, at least 0.
func number(r *http.Request, name string, absent int64) (int64, error) {
	text := r.FormValue(name)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, &backend.Error{Code: backend.CodeInvalid, Message: name + " has to be a number that is not negative.", Detail: text}
	}
	return n, nil
}
