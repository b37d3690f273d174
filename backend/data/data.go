// Package data serves the data that the page requests from /data, such as snapshots, transcript pages, stored
// content, search results and the doctor's report.
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

// pageSize is the number of transcript entries per page.
const pageSize = 60

// partSize is the maximum size in bytes of one range of an item's text or of stored content.
const partSize = 1 << 20

// handler serves the page's requests.
type handler struct {
	api          *engine.API
	licenseFiles fs.FS // licenses of shipped components, if make build created them
}

// New returns the handler for the page's requests: snapshots, transcript pages, item text, stored content and so on. In
// the window, only the page can reach the handler, because requests use the webview's custom scheme. The comment on
// each line describes the query and the response; build/tsgen generates the page's types from the methods' results.
// licensed is a file system with the file licenses.json.gz, or an empty one.
func New(api *engine.API, licensed fs.FS) http.Handler {
	h := &handler{api, licensed}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /data/app", respond(h, h.appSnapshot))                           // everything but transcripts
	mux.HandleFunc("GET /data/chat", withEngine(h, h.chatSnapshot))                      // ?id=: the newest page of a chat
	mux.HandleFunc("GET /data/items", withEngine(h, h.items))                            // ?chat= and &before=&parent=, &after=, &around= or &aside=: a page of the transcript, of a block or of messages that are set aside; the parameters give its position
	mux.HandleFunc("GET /data/search", withEngine(h, h.search))                          // ?q=&folder=&chat=&who=&of=&from=&to=&limit=&before=&count=: titles and items of all chats that contain all words
	mux.HandleFunc("GET /data/search-sessions", withEngine(h, h.searchSessions))         // ?q=&folder=&who=&of=&from=&to=&limit=&before=&session=&home=: texts of the Copilot CLI's sessions that contain all words
	mux.HandleFunc("GET /data/session-texts", withEngine(h, h.sessionTexts))             // ?id=: the texts of a session around one that a search has found
	mux.HandleFunc("GET /data/find", withEngine(h, h.find))                              // ?chat=&q=: items of a chat that contain a text
	mux.HandleFunc("GET /data/spot", withEngine(h, h.matchLocation))                     // ?item=&q=&n=: position of the nth occurrence of a text in an item, or null
	mux.HandleFunc("GET /data/event", withEngine(h, h.eventBySeq))                       // ?seq=: an event that was too large to emit
	mux.HandleFunc("GET /data/text", withEngine(h, h.text))                              // ?item=&offset=&limit=: text/plain, total size in X-Size
	mux.HandleFunc("GET /data/content", withEngine(h, h.content))                        // ?id=&offset=&limit=: the body, total size in X-Size, version in X-Version
	mux.HandleFunc("GET /data/avatar", withEngine(h, h.avatar))                          // the picture of the user's GitHub account
	mux.HandleFunc("GET /data/folder", respond(h, h.folder))                             // ?path=: folder info
	mux.HandleFunc("GET /data/files", withEngine(h, h.files))                            // ?chat=&folder=&q=&limit=: files of a chat's folder, or of a folder, by parts of their names
	mux.HandleFunc("GET /data/sessions", withEngine(h, h.sessions))                      // ?chat=: statistics of each session of a chat
	mux.HandleFunc("GET /data/processes", withEngine(h, h.processes))                    // running agents and their child processes
	mux.HandleFunc("GET /data/protocol", withEngine(h, h.protocol))                      // ?chat=&after=&filter=&limit=: the latest messages after a number, oldest first
	mux.HandleFunc("GET /data/audit", withEngine(h, h.audit))                            // ?before=&limit=: permission requests before a time, newest first
	mux.HandleFunc("GET /data/changes", withEngine(h, h.changes))                        // ?chat=&session=: the files that a chat has changed
	mux.HandleFunc("GET /data/diff", withEngine(h, h.diff))                              // ?chat=&path=&session=: the chat's changes to one file
	mux.HandleFunc("GET /data/blame", withEngine(h, h.blame))                            // ?path=: the turns that wrote the lines of a file in a chat's folder
	mux.HandleFunc("GET /data/undo", withEngine(h, h.undo))                              // ?turn=: effect of undoing or redoing a turn's changes to files
	mux.HandleFunc("GET /data/undo-file", withEngine(h, h.undoFile))                     // ?turn=&path=&back=: diff between a file as the turn left it (with back: as the last turn left it) and the file as it is now
	mux.HandleFunc("GET /data/go-back", withEngine(h, h.goBack))                         // ?turn=: effect of going back to the point before a turn's message
	mux.HandleFunc("GET /data/put-back", withEngine(h, h.putBack))                       // ?chat=: the parts of files' changes that were undone individually and can be redone
	mux.HandleFunc("GET /data/commands", withEngine(h, h.commands))                      // ?chat=: the latest commands of its agents
	mux.HandleFunc("GET /data/agent-sessions", withEngine(h, h.agentSessions))           // ?chat=&cursor=: a page of the agent's sessions in the chat's folder
	mux.HandleFunc("GET /data/declared", withEngine(h, h.declared))                      // ?provider=: options for new chats
	mux.HandleFunc("GET /data/trust", withEngine(h, h.trustText))                        // ?id=&file=: a file listed in a trust request
	mux.HandleFunc("GET /data/review-sources", withEngine(h, h.reviewSources))           // ?chat=: the changes that can be reviewed in a chat's folder
	mux.HandleFunc("GET /data/review-disk", withEngine(h, h.reviewDisk))                 // ?chat=: a state that changes with the files in a chat's folder
	mux.HandleFunc("GET /data/review-files", withEngine(h, h.reviewFiles))               // ?chat=&source=&whitespace=&first=: the changed files of a source; with whitespace=hide, changes in white space don't count; with first, files after the first ones may be pending
	mux.HandleFunc("GET /data/review-diff", withEngine(h, h.reviewDiff))                 // ?chat=&source=&path=&whitespace=: the changed lines of a file, by number
	mux.HandleFunc("GET /data/review-lines", withEngine(h, h.reviewLines))               // ?chat=&source=&path=&version=&side=&from=&count=: lines of the old or new side of a file
	mux.HandleFunc("GET /data/review-image", withEngine(h, h.reviewImage))               // ?chat=&source=&path=&version=&side=: the old or new side of an image
	mux.HandleFunc("GET /data/review-find", withEngine(h, h.reviewFind))                 // ?chat=&source=&q=&case=&limit=: occurrences of a text in the changed files of a source
	mux.HandleFunc("GET /data/review-commit", withEngine(h, h.reviewCommit))             // ?chat=&files=&path=&amend=: the form for a commit of the files; path may occur several times
	mux.HandleFunc("GET /data/review-pull", withEngine(h, h.reviewPull))                 // ?chat=: the pull request of the branch, with its checks
	mux.HandleFunc("GET /data/cli-sessions", withEngine(h, h.cliSessions))               // ?since=&q=&folder=&from=&to=: the Copilot CLI's sessions on this computer; null if since is the revision of the list
	mux.HandleFunc("GET /data/cli-session", withEngine(h, h.cliSession))                 // ?home=&id=: a session of the Copilot CLI before it is opened
	mux.HandleFunc("GET /data/other-conversations", withEngine(h, h.otherConversations)) // the conversations of other programs on this computer
	mux.HandleFunc("GET /data/licences", respond(h, h.licenses))                         // shipped components and their licenses
	mux.HandleFunc("GET /data/doctor", respond(h, h.doctor))                             // the doctor's report

	mux.HandleFunc("GET /data/review-comments", withEngine(h, h.reviewComments))  // ?chat=: the comments of a chat, with the lines that they are on now
	mux.HandleFunc("GET /data/review-places", withEngine(h, h.reviewPlaces))      // ?chat=&source=&path=&version=: the places of the comments on a file in a version of it
	mux.HandleFunc("GET /data/review-pull-form", withEngine(h, h.reviewPullForm)) // ?chat=&base=: the pull request that could be opened for the branch, into base or the default branch
	return mux
}

// body is a response that isn't JSON.
type body struct {
	mime string
	head map[string]string
	data []byte
}

// withEngine serves the result of the function get, which needs the open database.
func withEngine[T any](h *handler, get func(context.Context, *engine.Engine, *http.Request) (T, error)) http.HandlerFunc {
	return respond(h, func(ctx context.Context, r *http.Request) (result T, err error) {
		e, err := h.api.Engine()
		if err != nil {
			return result, err
		}
		return get(ctx, e, r)
	})
}

// respond serves the result of the function get: a body unchanged, any other result as JSON, an error as {code,
// message, detail}. In the window, Wails never cancels the request context, so respond sets a time limit for each
// request.
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
			_, _ = w.Write(b.data) // fails only if the page has closed the connection
			return
		}
		answer, status := any(result), http.StatusOK
		if err != nil {
			if backend.CodeOf(err) == "" && r.Context().Err() == nil {
				h.api.Log.Error("a request of the page failed", "path", r.URL.Path, "err", err) // the page refers to the log
			}
			answer, status = backend.AsError(err), statusOf(err)
		}
		text, err := json.Marshal(answer)
		if err != nil {
			h.api.Log.Error("couldn't encode a response", "path", r.URL.Path, "err", err)
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
	case backend.CodeStale:
		return http.StatusConflict
	case backend.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	default:
		return http.StatusInternalServerError
	}
}

// openingDelay is the delay before the window shows that the database is being opened. Opening usually
// takes about 30 ms.
const openingDelay = 400 * time.Millisecond

// appSnapshot returns the state of the app or, while the database isn't open, only the state of the database. When
// that state changes, the page receives a batch with a different run ID, which makes it reload.
func (h *handler) appSnapshot(ctx context.Context, _ *http.Request) (backend.Snapshot, error) {
	e, err := h.api.EngineIn(openingDelay)
	if err != nil {
		opened, storage := h.api.Current()
		if opened == nil {
			return backend.Snapshot{Run: "closed", Events: []backend.Event{{Storage: &storage}}}, nil
		}
		e = opened // opened just now
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
		return backend.Event{}, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This event is no longer available. Reload the window.")}
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

// content serves stored content with a media type that no webview treats as a page:
// safe images with their own type, everything else as plain text.
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
	if err == nil && c.Type == backend.ContentImage && !r.Form.Has("limit") { // requested by a page element
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

// part returns at most limit bytes of an image, starting at offset. It is for images that aren't in a chat yet.
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
		return body{}, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This account has no profile picture.")}
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

// maxList is the maximum number of list entries per response.
const maxList = 500

// listLimit returns the requested number of list entries, at most maxList.
func listLimit(r *http.Request) (int, error) {
	limit, err := number(r, "limit", maxList)
	return int(min(max(limit, 1), maxList)), err
}

// Audit holds permission requests with their decisions.
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

// number returns the value of a query parameter, or fallback if the parameter is missing. It returns an
// error unless the value is a number of at least 0.
func number(r *http.Request, name string, fallback int64) (int64, error) {
	text := r.FormValue(name)
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("%s must be 0 or greater.", name), Detail: text}
	}
	return n, nil
}

// maxFiles is the maximum number of files per response.
const maxFiles = 200

// files returns the files that match a query, either in an existing chat's folder or in
// the folder chosen for a new chat.
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

// licenses returns the list of licenses as created by the build, or an empty list if the build created none.
func (h *handler) licenses(context.Context, *http.Request) (backend.Licenses, error) {
	answer := backend.Licenses{Components: []backend.Component{}}
	packed, err := fs.ReadFile(h.licenseFiles, "licenses.json.gz")
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
