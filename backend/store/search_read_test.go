package store_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestSearch_BlockHitNamesItsSession(t *testing.T) {
	s := openStore(t, t.TempDir())
	block := backend.Item{ID: "block", ChatID: "chat", Session: "tests", Kind: backend.ItemBlock, Block: &backend.Block{SessionName: "tests", Prompt: "look at the zebra"}}
	inside := textItem("chat", "inside", backend.ItemMessage, "a zebra")
	inside[0].Item.ParentID, inside[0].Item.Session = "block", "tests"
	outside := textItem("chat", "outside", backend.ItemMessage, "a zebra")
	outside[0].Item.Session = backend.SessionMain
	apply(t, s, slices.Concat([]backend.Event{{Chat: &backend.Chat{ID: "chat", Title: "Zebra"}}, {Item: &block}}, inside, outside)...)
	got := map[string]string{}
	for _, h := range searchHits(t, s, store.Query{Text: "zebra", Limit: 10}).Hits {
		got[h.ItemID] = h.Session
	}
	if diff := cmp.Diff(map[string]string{"": "", "block": "tests", "inside": "tests", "outside": ""}, got); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
}
