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
// Each line has its query and what is answered; build/tsgen tells the page the
// types of the answers, which are what the methods return.
func (a *App) data() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /data/app", answer(a, a.appSnapshot))              // everything but transcripts
	mux.HandleFunc("GET /data/chat", opened(a, a.chatSnapshot))            // ?id=: the newest page of a chat
	mux.HandleFunc("GET /data/items", opened(a, a.items))                  // ?chat= and &before=&parent=, &after= or &around=: a page of the transcript, or of a block, before, after or around a position
	mux.HandleFunc("GET /data/search", opened(a, a.search))                // ?q=&folder=&chat=&who=&of=&from=&to=&limit=&before=&count=: titles and items of all chats that hold all words
	mux.HandleFunc("GET /data/find", opened(a, a.find))                    // ?chat=&q=: items of a chat that hold a text
	mux.HandleFunc("GET /data/spot", opened(a, a.spot))                    // ?item=&q=&n=: where it stands in an item for the nth time; null where it does not
	mux.HandleFunc("GET /data/event", opened(a, a.oneEvent))               // ?seq=: one that was too large to emit
	mux.HandleFunc("GET /data/text", opened(a, a.text))                    // ?item=&offset=&limit=: text/plain, the whole's size in X-Size
	mux.HandleFunc("GET /data/content", opened(a, a.content))              // ?id=&offset=&limit=: the body, its whole size in X-Size, its version in X-Version
	mux.HandleFunc("GET /data/avatar", opened(a, a.avatar))                // the picture of the user's account at GitHub
	mux.HandleFunc("GET /data/folder", answer(a, a.folder))                // ?path=: what is known of a folder
	mux.HandleFunc("GET /data/files", opened(a, a.files))                  // ?chat=&folder=&q=&limit=: files of a chat's folder, or of a folder, by parts of their names
	mux.HandleFunc("GET /data/sessions", opened(a, a.sessions))            // ?chat=: what each session of a chat has done
	mux.HandleFunc("GET /data/processes", opened(a, a.processes))          // the agents that run, and what they started
	mux.HandleFunc("GET /data/protocol", opened(a, a.protocol))            // ?chat=&after=&filter=&limit=: the newest messages after a number, oldest first
	mux.HandleFunc("GET /data/audit", opened(a, a.audit))                  // ?before=&limit=: requests before a time, newest first
	mux.HandleFunc("GET /data/changes", opened(a, a.changes))              // ?chat=&session=: the files that a chat has changed
	mux.HandleFunc("GET /data/diff", opened(a, a.diff))                    // ?chat=&path=&session=: what it has changed in one of them
	mux.HandleFunc("GET /data/commands", opened(a, a.commands))            // ?chat=: the newest that its agents ran
	mux.HandleFunc("GET /data/agent-sessions", opened(a, a.agentSessions)) // ?chat=&cursor=: what the chat's agent has in its folder, a page
	mux.HandleFunc("GET /data/declared", opened(a, a.declared))            // ?provider=: what new chats can begin with
	mux.HandleFunc("GET /data/trust", opened(a, a.trustText))              // ?id=&file=: a file that a request for trust lists
	mux.HandleFunc("GET /data/licences", answer(a, a.licences))            // what is shipped, with its licences
	mux.HandleFunc("GET /data/doctor", answer(a, a.doctor))                // the doctor's report
	return mux
}

// body is an answer that is not JSON.
type body struct {
	mime string
	head map[string]string
	data []byte
}

// opened answers with what get returns of the open database.
func opened[T any](a *App, get func(context.Context, *engine, *http.Request) (T, error)) http.HandlerFunc {
	return answer(a, func(ctx context.Context, r *http.Request) (result T, err error) {
		e, err := a.engine()
		if err != nil {
			return result, err
		}
		return get(ctx, e, r)
	})
}

// answer answers with what get returns: a body as it is, anything else as JSON,
// an error as {code, message, detail}. Wails' request context is never
// cancelled in the window, so each request is bounded in time here.
func answer[T any](a *App, get func(ctx context.Context, r *http.Request) (T, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), callTime)
		defer cancel()
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		result, err := get(ctx, r)
		if b, ok := any(result).(body); ok && err == nil {
			h.Set("Content-Type", b.mime)
			for k, v := range b.head {
				h.Set(k, v)
			}
			_, _ = w.Write(b.data) // the page went away: nobody to tell
			return
		}
		answer, status := any(result), http.StatusOK
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
func (a *App) appSnapshot(ctx context.Context, _ *http.Request) (backend.Snapshot, error) {
	e, err := a.engineIn(openingShown)
	if err != nil {
		a.mu.Lock()
		opened, storage := a.eng, a.storage
		a.mu.Unlock()
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

func (a *App) chatSnapshot(ctx context.Context, e *engine, r *http.Request) (backend.Snapshot, error) {
	return e.snapshot(ctx, func(ctx context.Context, v *store.View, s *backend.Snapshot) (err error) {
		s.Events, s.Before, err = v.ChatEvents(ctx, r.FormValue("id"), pageSize)
		return err
	}, nil)
}

func (a *App) items(ctx context.Context, e *engine, r *http.Request) (backend.Snapshot, error) {
	return e.snapshot(ctx, func(ctx context.Context, v *store.View, s *backend.Snapshot) (err error) {
		s.Events, s.Before, err = pageOf(ctx, r, v)
		return err
	}, nil)
}

// snapshot reads rows exactly as they are at the snapshot's Seq: the read
// transaction begins while the feed can number nothing, and is read at leisure.
// also runs at the same moment.
func (e *engine) snapshot(ctx context.Context, read func(context.Context, *store.View, *backend.Snapshot) error, also func()) (backend.Snapshot, error) {
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

func (a *App) oneEvent(_ context.Context, e *engine, r *http.Request) (backend.Event, error) {
	seq, err := number(r, "seq", 0)
	if err != nil {
		return backend.Event{}, err
	}
	ev, ok := e.feed.Event(uint64(seq))
	if !ok {
		return backend.Event{}, &backend.Error{Code: backend.CodeNotFound, Message: "This event is not held any more. Begin with a snapshot."}
	}
	return ev, nil
}

func (a *App) text(ctx context.Context, e *engine, r *http.Request) (body, error) {
	offset, limit, err := ranged(r)
	if err != nil {
		return body{}, err
	}
	data, size, err := e.store.Text(ctx, r.FormValue("item"), offset, limit)
	return body{mime: "text/plain; charset=utf-8", head: map[string]string{"X-Size": strconv.FormatInt(size, 10)}, data: data}, err
}

// content serves bodies as bytes that no webview takes for a page: an image
// under its own type, all else as plain text.
func (a *App) content(ctx context.Context, e *engine, r *http.Request) (body, error) {
	offset, limit, err := ranged(r)
	if err != nil {
		return body{}, err
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

func ranged(r *http.Request) (offset, limit int64, err error) {
	if offset, err = number(r, "offset", 0); err != nil {
		return
	}
	limit, err = number(r, "limit", pullSize)
	return offset, min(limit, pullSize), err
}

func (a *App) avatar(_ context.Context, e *engine, _ *http.Request) (body, error) {
	picture, mime := e.auth.Avatar()
	if !safeImage[mime] {
		return body{}, &backend.Error{Code: backend.CodeNotFound, Message: "The account has no picture."}
	}
	return body{mime: mime, data: picture}, nil
}

func (a *App) folder(ctx context.Context, r *http.Request) (workspace.Folder, error) {
	path := r.FormValue("path")
	count, loginPath := false, os.Getenv("PATH")
	if e, err := a.engine(); err == nil {
		loginPath = e.loginPath()
		resolved, err := workspace.Resolve(path)
		count = err == nil && e.chats.Uses(resolved)
	}
	return workspace.Describe(ctx, loginPath, path, count), nil
}

// maxList bounds how many entries of a list one request gets.
const maxList = 500

// Sessions is what each session of a chat has done.
type Sessions struct {
	Sessions []backend.SessionWork `json:"sessions"`
}

func (a *App) sessions(ctx context.Context, e *engine, r *http.Request) (Sessions, error) {
	sessions, err := e.store.SessionWork(ctx, r.FormValue("chat"))
	return Sessions{sessions}, err
}

func (a *App) processes(_ context.Context, e *engine, _ *http.Request) ([]backend.Process, error) {
	return e.agents.processes(), nil
}

// maxFrames is how many messages of the protocol log one request gets: all that
// are kept.
const maxFrames = 5000

// Protocol are messages between a chat's agent and VoxPilot.
type Protocol struct {
	Frames []backend.Frame `json:"frames"`
}

// protocol is empty for a chat whose agent has not run since VoxPilot started.
func (a *App) protocol(_ context.Context, e *engine, r *http.Request) (answer Protocol, err error) {
	after, err := number(r, "after", 0)
	if err != nil {
		return answer, err
	}
	limit, err := number(r, "limit", maxList)
	if err != nil {
		return answer, err
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

// Audit are requests for a permission, as they were decided.
type Audit struct {
	Permissions []backend.Permission `json:"permissions"`
}

func (a *App) audit(ctx context.Context, e *engine, r *http.Request) (answer Audit, err error) {
	before, err := number(r, "before", 1<<62)
	if err != nil {
		return answer, err
	}
	limit, err := listLimit(r)
	if err != nil {
		return answer, err
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
