package chaos_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// pageSearch searches everything the app exposes to the page: emitted events and the content of /data.
type pageSearch struct {
	l    *appProcess
	s    *search
	from int // index of the next event
}

func newPageSearch(l *appProcess, s *search) *pageSearch { return &pageSearch{l: l, s: s} }

// events searches the events emitted since the last call.
func (k *pageSearch) events() {
	k.l.t.Helper()
	all := k.l.events()
	for _, e := range all[k.from:] {
		b, err := json.Marshal(e)
		if err != nil {
			k.l.t.Fatal(err)
		}
		k.s.in("an event: "+strings.ToValidUTF8(string(b[:min(len(b), 300)]), ""), b)
	}
	k.from = len(all)
}

// pages searches everything that the /data paths return.
func (k *pageSearch) pages() {
	k.l.t.Helper()
	for _, path := range []string{"/data/processes", "/data/audit?", "/data/doctor"} {
		k.pull(path)
	}
	var app backend.Snapshot
	k.pullInto("/data/app", &app)
	for _, e := range app.Events {
		if e.Chat != nil {
			k.chat(e.Chat.ID)
		}
	}
}

func (k *pageSearch) chat(id string) {
	k.l.t.Helper()
	q := url.QueryEscape(id)
	k.pull("/data/protocol?chat=" + q + "&limit=1000")
	k.pull("/data/items?chat=" + q + "&before=9007199254740991")
	var s backend.Snapshot
	k.pullInto("/data/chat?id="+q, &s)
	for _, e := range s.Events {
		switch {
		case e.Content != nil:
			k.pull("/data/content?id=" + url.QueryEscape(e.Content.ID) + "&limit=1000000")
		case e.Item != nil:
			k.pull("/data/text?item=" + url.QueryEscape(e.Item.ID) + "&limit=1000000")
		}
	}
}

func (k *pageSearch) pull(path string) {
	k.l.t.Helper()
	var body json.RawMessage
	k.pullInto(path, &body)
}

func (k *pageSearch) pullInto(path string, into any) {
	k.l.t.Helper()
	var raw json.RawMessage
	id := k.l.ask(http.MethodGet, path)
	if err := k.l.answer(id, &raw); err != nil { // such as an agent that isn't running
		raw = []byte(err.Error())
		k.s.in("GET "+path, raw)
		return
	}
	k.s.in("GET "+path, raw)
	if err := json.Unmarshal(raw, into); err != nil {
		k.l.t.Fatal(err)
	}
}
