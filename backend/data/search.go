package data

import (
	"context"
	"net/http"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/store"
)

// searchSize is the default number of hits per search page.
const searchSize = 50

func (h *handler) search(ctx context.Context, e *engine.Engine, r *http.Request) (hits backend.Hits, err error) {
	q, err := searchQuery(r)
	if err != nil {
		return hits, err
	}
	err = e.Store.Read(ctx, func(v *store.ReadTx) error {
		hits, err = v.Search(ctx, q)
		return err
	})
	return hits, err
}

// searchQuery returns the query of a search request.
func searchQuery(r *http.Request) (q store.Query, err error) {
	numbers := map[string]int64{"from": 0, "to": 0, "limit": searchSize}
	for name, value := range numbers {
		if numbers[name], err = number(r, name, value); err != nil {
			return q, err
		}
	}
	return store.Query{
		Text: r.FormValue("q"), Folder: r.FormValue("folder"), ChatID: r.FormValue("chat"),
		Author: backend.HitAuthor(r.FormValue("who")), Of: backend.HitCategory(r.FormValue("of")),
		From: backend.Millis(numbers["from"]), To: backend.Millis(numbers["to"]),
		Limit: int(min(max(numbers["limit"], 1), maxList)), Before: r.FormValue("before"),
		Count: r.FormValue("count") != "",
	}, nil
}

func (h *handler) searchSessions(ctx context.Context, e *engine.Engine, r *http.Request) (hits backend.Hits, err error) {
	q, err := searchQuery(r)
	if err != nil {
		return hits, err
	}
	reading := e.SessionSearch.Searched()
	err = e.Store.Read(ctx, func(v *store.ReadTx) error {
		hits, err = v.SearchSessions(ctx, store.SessionQuery{Query: q, SessionID: r.FormValue("session"), Home: r.FormValue("home")})
		return err
	})
	hits.Reading = reading
	return hits, err
}

// Numbers of texts that are returned before and after a search hit in a session.
const (
	textsBefore = 2
	textsAfter  = 6
)

func (h *handler) sessionTexts(ctx context.Context, e *engine.Engine, r *http.Request) (texts []backend.SessionText, err error) {
	id, err := number(r, "id", 0)
	if err != nil {
		return nil, err
	}
	err = e.Store.Read(ctx, func(v *store.ReadTx) error {
		texts, err = v.SessionTexts(ctx, id, textsBefore, textsAfter)
		return err
	})
	return texts, err
}

func (h *handler) find(ctx context.Context, e *engine.Engine, r *http.Request) (places backend.Matches, err error) {
	// A search that times out returns its results so far, so some time must remain for returning them.
	limited, cancel := context.WithTimeout(ctx, engine.CallTime/2)
	defer cancel()
	err = e.Store.Read(limited, func(v *store.ReadTx) error {
		places, err = v.Find(limited, r.FormValue("chat"), r.FormValue("q"))
		return err
	})
	return places, err
}

func (h *handler) matchLocation(ctx context.Context, e *engine.Engine, r *http.Request) (spot *backend.MatchLocation, err error) {
	n, err := number(r, "n", 0)
	if err != nil {
		return nil, err
	}
	err = e.Store.Read(ctx, func(v *store.ReadTx) error {
		spot, err = v.MatchLocation(ctx, r.FormValue("item"), r.FormValue("q"), int(n))
		return err
	})
	return spot, err
}

// pageOf reads a page of a transcript, of a block, or of messages that are set aside. The request names a position and
// whether the page is around, after or before it. pageOf also returns the position before which older items can be
// read. This position is 0 if there are no older items, or if the request was for the page after a position.
func pageOf(ctx context.Context, r *http.Request, v *store.ReadTx) (events []backend.Event, before int64, err error) {
	chat := r.FormValue("chat")
	around, err := number(r, "around", 0)
	if err != nil {
		return nil, 0, err
	}
	after, err := number(r, "after", -1)
	if err != nil {
		return nil, 0, err
	}
	before, err = number(r, "before", 1<<62)
	switch {
	case err != nil:
		return nil, 0, err
	case r.FormValue("aside") != "":
		return v.ItemsAside(ctx, chat, r.FormValue("aside"), before, pageSize)
	case around > 0:
		return v.ItemsAround(ctx, chat, around, pageSize)
	case after >= 0:
		events, err = v.ItemsAfter(ctx, chat, after, pageSize)
		return events, 0, err
	}
	return v.ItemsOf(ctx, chat, r.FormValue("parent"), before, pageSize)
}
