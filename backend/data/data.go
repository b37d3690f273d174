// Package data answers what the page pulls from /data: snapshots, pages of
// transcripts, texts and bodies, searches, changes, the doctor's report.
package data

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// pageSize is how many entries of a transcript one page holds.
const pageSize = 60

// partSize bounds one range of a text or body.
const partSize = 1 << 20

// handler answers what the page pulls.
type handler struct {
	api          *engine.API
	licenseFiles fs.FS // has the licences of what is shipped, where make build made them
}

// New serves what the page pulls: snapshots, pages of history, texts, bodies.
// In the window only the page itself can reach it (the webview's own scheme).
// Each line has its query and what is answered; build/tsgen tells the page the
// types of the answers, which are what the methods return. licensed holds
// licences.json.gz, or nothing.
func New(api *engine.API, licensed fs.FS) http.Handler {
	h := &handler{api, licensed}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /data/app", respond(h, h.appSnapshot))                 // everything but transcripts
	mux.HandleFunc("GET /data/chat", withEngine(h, h.chatSnapshot))            // ?id=: the newest page of a chat
	mux.HandleFunc("GET /data/items", withEngine(h, h.items))                  // ?chat= and &before=&parent=, &after= or &around=: a page of the transcript, or of a block, before, after or around a position
	mux.HandleFunc("GET /data/search", withEngine(h, h.search))                // ?q=&folder=&chat=&who=&of=&from=&to=&limit=&before=&count=: titles and items of all chats that hold all words
	mux.HandleFunc("GET /data/find", withEngine(h, h.find))                    // ?chat=&q=: items of a chat that hold a text
	mux.HandleFunc("GET /data/spot", withEngine(h, h.matchLocation))           // ?item=&q=&n=: where it stands in an item for the nth time; null where it does not
	mux.HandleFunc("GET /data/event", withEngine(h, h.eventBySeq))             // ?seq=: one that was too large to emit
	mux.HandleFunc("GET /data/text", withEngine(h, h.text))                    // ?item=&offset=&limit=: text/plain, the whole's size in X-Size
	mux.HandleFunc("GET /data/content", withEngine(h, h.content))              // ?id=&offset=&limit=: the body, its whole size in X-Size, its version in X-Version
	mux.HandleFunc("GET /data/avatar", withEngine(h, h.avatar))                // the picture of the user's account at GitHub
	mux.HandleFunc("GET /data/folder", respond(h, h.folder))                   // ?path=: what is known of a folder
	mux.HandleFunc("GET /data/files", withEngine(h, h.files))                  // ?chat=&folder=&q=&limit=: files of a chat's folder, or of a folder, by parts of their names
	mux.HandleFunc("GET /data/sessions", withEngine(h, h.sessions))            // ?chat=: what each session of a chat has done
	mux.HandleFunc("GET /data/processes", withEngine(h, h.processes))          // the agents that run, and what they started
	mux.HandleFunc("GET /data/protocol", withEngine(h, h.protocol))            // ?chat=&after=&filter=&limit=: the newest messages after a number, oldest first
	mux.HandleFunc("GET /data/audit", withEngine(h, h.audit))                  // ?before=&limit=: requests before a time, newest first
	mux.HandleFunc("GET /data/changes", withEngine(h, h.changes))              // ?chat=&session=: the files that a chat has changed
	mux.HandleFunc("GET /data/diff", withEngine(h, h.diff))                    // ?chat=&path=&session=: what it has changed in one of them
	mux.HandleFunc("GET /data/commands", withEngine(h, h.commands))            // ?chat=: the newest that its agents ran
	mux.HandleFunc("GET /data/agent-sessions", withEngine(h, h.agentSessions)) // ?chat=&cursor=: what the chat's agent has in its folder, a page
	mux.HandleFunc("GET /data/declared", withEngine(h, h.declared))            // ?provider=: what new chats can begin with
	mux.HandleFunc("GET /data/trust", withEngine(h, h.trustText))              // ?id=&file=: a file that a request for trust lists
	mux.HandleFunc("GET /data/licences", respond(h, h.licenses))               // what is shipped, with its licences
	mux.HandleFunc("GET /data/doctor", respond(h, h.doctor))                   // the doctor's report
	return mux
}

// body is an answer that is not JSON.
type body struct {
	mime string
	head map[string]string
	data []byte
}

// withEngine answers with what get returns of the open database.
func withEngine[T any](h *handler, get func(context.Context, *engine.Engine, *http.Request) (T, error)) http.HandlerFunc {
	return respond(h, func(ctx context.Context, r *http.Request) (result T, err error) {
		e, err := h.api.Engine()
		if err != nil {
			return result, err
		}
		return get(ctx, e, r)
	})
}

// respond answers with what get returns: a body as it is, anything else as JSON,
// an error as {code, message, detail}. Wails' request context is never
// cancelled in the window, so each request is bounded in time here.
func respond[T any](h *handler, get func(ctx context.Context, r *http.Request) (T, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), engine.CallTime)
		defer cancel()
		head := w.Header()
		head.Set("Cache-Control", "no-store")
		head.Set("X-Content-Type-Options", "nosniff")
		result, err := get(ctx, r)
		if b, ok := any(result).(body); ok && err == nil {
			head.Set("Content-Type", b.mime)
			for k, v := range b.head {
				head.Set(k, v)
			}
			_, _ = w.Write(b.data) // the page went away: nobody to tell
			return
		}
		answer, status := any(result), http.StatusOK
		if err != nil {
			answer, status = backend.AsError(err), statusOf(err)
		}
		text, err := json.Marshal(answer)
		if err != nil {
			h.api.Log.Error("an answer could not be encoded", "path", r.URL.Path, "err", err)
			status, text = http.StatusInternalServerError, []byte(`{"code":"unavailable","message":"Couldn't encode the response."}`)
		}
		head.Set("Content-Type", "application/json")
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

// openingDelay is how long the window waits for the database before it says that
// it is being opened, which as a rule takes some 30 ms.
const openingDelay = 400 * time.Millisecond

// appSnapshot answers even where there is no database, with how it stands. What
// changes then comes as an event of another run, and the page begins afresh.
func (h *handler) appSnapshot(ctx context.Context, _ *http.Request) (backend.Snapshot, error) {
	e, err := h.api.EngineIn(openingDelay)
	if err != nil {
		opened, storage := h.api.Current()
		if opened == nil {
			return backend.Snapshot{Run: "closed", Events: []backend.Event{{Storage: &storage}}}, nil
		}
		e = opened // in this moment
	}
	var held []backend.Event
	s, err := e.Snapshot(ctx, func(ctx context.Context, v *store.ReadTx, s *backend.Snapshot) error {
		s.Events, err = v.AppEvents(ctx)
		return err
	}, func() { held = e.Bus.Retained() })
	s.Events = append(s.Events, held...)
	return s, err
}

func (h *handler) chatSnapshot(ctx context.Context, e *engine.Engine, r *http.Request) (backend.Snapshot, error) {
	return e.Snapshot(ctx, func(ctx context.Context, v *store.ReadTx, s *backend.Snapshot) (err error) {
		s.Events, s.Before, err = v.ChatEvents(ctx, r.FormValue("id"), pageSize)
		return err
	}, nil)
}

func (h *handler) items(ctx context.Context, e *engine.Engine, r *http.Request) (backend.Snapshot, error) {
	return e.Snapshot(ctx, func(ctx context.Context, v *store.ReadTx, s *backend.Snapshot) (err error) {
		s.Events, s.Before, err = pageOf(ctx, r, v)
		return err
	}, nil)
}

func (h *handler) eventBySeq(_ context.Context, e *engine.Engine, r *http.Request) (backend.Event, error) {
	seq, err := number(r, "seq", 0)
	if err != nil {
		return backend.Event{}, err
	}
	ev, ok := e.Bus.Event(uint64(seq))
	if !ok {
		return backend.Event{}, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This event is no longer available. Reload from a snapshot.")}
	}
	return ev, nil
}

func (h *handler) text(ctx context.Context, e *engine.Engine, r *http.Request) (body, error) {
	offset, limit, err := ranged(r)
	if err != nil {
		return body{}, err
	}
	data, size, err := e.Store.Text(ctx, r.FormValue("item"), offset, limit)
	return body{mime: "text/plain; charset=utf-8", head: map[string]string{"X-Size": strconv.FormatInt(size, 10)}, data: data}, err
}

// content serves bodies as bytes that no webview takes for a page: an image
// under its own type, all else as plain text.
func (h *handler) content(ctx context.Context, e *engine.Engine, r *http.Request) (body, error) {
	offset, limit, err := ranged(r)
	if err != nil {
		return body{}, err
	}
	if image, ok := e.PendingImages.Get(r.FormValue("id")); ok {
		if !r.Form.Has("limit") {
			limit = int64(len(image.Data))
		}
		return part(image.Data, image.Mime, offset, limit), nil
	}
	data, c, err := e.Store.Content(ctx, r.FormValue("id"), offset, limit)
	if err == nil && c.Type == backend.ContentImage && !r.Form.Has("limit") { // an element of the page asks for it
		data, c, err = e.Store.Content(ctx, c.ID, offset, 0)
	}
	b := body{mime: "text/plain; charset=utf-8", data: data, head: map[string]string{
		"X-Size": strconv.FormatInt(c.Size, 10), "X-Version": strconv.FormatInt(c.Version, 10),
	}}
	if c.Type == backend.ContentImage && engine.SafeImage[c.Mime] {
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

func ranged(r *http.Request) (offset, limit int64, err error) {
	if offset, err = number(r, "offset", 0); err != nil {
		return
	}
	limit, err = number(r, "limit", partSize)
	return offset, min(limit, partSize), err
}

func (h *handler) avatar(_ context.Context, e *engine.Engine, _ *http.Request) (body, error) {
	picture, mime := e.Auth.Avatar()
	if !engine.SafeImage[mime] {
		return body{}, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This account has no picture.")}
	}
	return body{mime: mime, data: picture}, nil
}

func (h *handler) folder(ctx context.Context, r *http.Request) (workspace.Folder, error) {
	path := r.FormValue("path")
	count, loginPath := false, os.Getenv("PATH")
	if e, err := h.api.Engine(); err == nil {
		loginPath = e.LoginPath()
		resolved, err := workspace.Resolve(path)
		count = err == nil && e.Chats.HasFolder(resolved)
	}
	return workspace.Describe(ctx, loginPath, path, count), nil
}

// maxList bounds how many entries of a list one request gets.
const maxList = 500

// listLimit is how many entries of a list are asked for, at most maxList.
func listLimit(r *http.Request) (int, error) {
	limit, err := number(r, "limit", maxList)
	return int(min(max(limit, 1), maxList)), err
}

// Audit are requests for a permission, as they were decided.
type Audit struct {
	Permissions []backend.Permission `json:"permissions"`
}

func (h *handler) audit(ctx context.Context, e *engine.Engine, r *http.Request) (answer Audit, err error) {
	before, err := number(r, "before", 1<<62)
	if err != nil {
		return answer, err
	}
	limit, err := listLimit(r)
	if err != nil {
		return answer, err
	}
	answer.Permissions, err = e.Store.Permissions(ctx, backend.Millis(before), limit)
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
		return 0, &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("%s must be zero or more.", name), Detail: text}
	}
	return n, nil
}

// maxFiles is how many files an answer has at most.
const maxFiles = 200

// files answers which files of a chat's folder fit what is written, or of the
// folder of a chat that is not made yet.
func (h *handler) files(ctx context.Context, e *engine.Engine, r *http.Request) (workspace.FileMatches, error) {
	var err error
	folder := r.FormValue("folder")
	if folder != "" {
		folder, err = workspace.Resolve(folder)
	} else {
		var chat backend.Chat
		chat, err = e.Chats.Get(r.FormValue("chat"))
		folder = chat.Folder
	}
	if err != nil {
		return workspace.FileMatches{}, err
	}
	limit, err := number(r, "limit", 50)
	if err != nil {
		return workspace.FileMatches{}, err
	}
	return e.Files.Find(ctx, folder, r.FormValue("q"), int(min(max(limit, 1), maxFiles)))
}

// licenses is as it was made.
func (h *handler) licenses(context.Context, *http.Request) (backend.Licenses, error) {
	answer := backend.Licenses{Components: []backend.Component{}}
	packed, err := fs.ReadFile(h.licenseFiles, "licences.json.gz")
	if errors.Is(err, fs.ErrNotExist) {
		return answer, nil
	}
	if err != nil {
		return answer, err
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return answer, err
	}
	return answer, json.NewDecoder(zip).Decode(&answer)
}
