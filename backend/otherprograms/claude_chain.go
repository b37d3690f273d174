package otherprograms

import (
	"cmp"
	"context"
	"strings"

	"github.com/tidwall/gjson"
)

// claudeChain is the set of the records that lead to the last message of a conversation. If the user goes back to an
// earlier message, the file keeps the later ones, which then aren't in the chain.
type claudeChain struct {
	in map[string]bool // IDs of records; nil if all records are in the chain
	// before are the IDs of the records that precede the start of the chain in the file. They are in the chain too,
	// because a program that doesn't link records must have written them.
	before map[string]bool
}

// maxLinks is the maximum number of records for which a chain is determined, and maxLinkID the maximum size of an ID in
// bytes. A record with a longer ID isn't added to the chain.
const (
	maxLinks  = 1_000_000
	maxLinkID = 200
)

// claudeChainOf reads the links between the records of a conversation.
func claudeChainOf(ctx context.Context, c Conversation) (*claudeChain, error) {
	parents, last := map[string]string{}, ""
	var order []string
	err := eachRecord(ctx, c, discard{}, func(r gjson.Result) error {
		id := r.Get("uuid").String()
		if id == "" || len(id) > maxLinkID || len(order) >= maxLinks || r.Get("isSidechain").Bool() {
			return nil
		}
		id = strings.Clone(id) // the record must not stay in memory
		order = append(order, id)
		parent := cmp.Or(r.Get("parentUuid").String(), r.Get("logicalParentUuid").String())
		parents[id] = strings.Clone(parent[:min(len(parent), maxLinkID+1)])
		if kind := r.Get("type").String(); kind == "user" || kind == "assistant" {
			last = id
		}
		return nil
	})
	if err != nil || len(order) >= maxLinks {
		return &claudeChain{}, err
	}
	chain := &claudeChain{in: map[string]bool{}, before: map[string]bool{}}
	start := last
	for id := last; id != "" && !chain.in[id]; id = parents[id] {
		if _, is := parents[id]; !is {
			break
		}
		chain.in[id], start = true, id
	}
	for _, id := range order {
		if id == start {
			break
		}
		chain.before[id] = true
	}
	return chain, nil
}

// has reports whether a record is in the chain. Records without an ID count as being in the chain, as do the results of
// a call in the chain: if a message has several results, only one of them leads to the next message.
func (c *claudeChain) has(r gjson.Result) bool {
	id := r.Get("uuid").String()
	if c.in == nil || id == "" || c.in[id] || c.before[id] {
		return true
	}
	return c.in[r.Get("parentUuid").String()] && r.Get("message.content.0.type").String() == "tool_result"
}

// discard is a Sink that ignores everything.
type discard struct{}

func (discard) Add(Entry) error { return nil }
func (discard) Skip(bool)       {}
func (discard) Progress(int64)  {}
