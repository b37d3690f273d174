package repository_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestCommit_NamesChatInTrailer(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n"})
	commit := func(title, message string, change func(*backend.ReviewCommitRequest)) string {
		t.Helper()
		f.title = title
		f.write("a", f.git("rev-parse", "HEAD")+title+message)
		q := backend.ReviewCommitRequest{Message: message, Files: backend.CommitAll}
		change(&q)
		f.done(q)
		return f.git("log", "-1", "--format=%B")
	}
	plain := func(*backend.ReviewCommitRequest) {}
	f.equal(commit("Fix the login", "one", plain), "one") // the trailer is off by default
	f.nameChat = true
	f.equal(commit("Fix the login", "two\n\nWhy.\n---\nA rule isn't the end.", plain), "two\n\nWhy.\n---\nA rule isn't the end.\n\nVoxPilot-Chat: Fix the login")
	f.equal(commit("Fix the login", "three\n\nVoxPilot-Chat: Fix the login", func(q *backend.ReviewCommitRequest) { q.Amend = true }), "three\n\nVoxPilot-Chat: Fix the login")
	f.equal(commit("Fix\nSigned-off-by: me\x00\r\n\tit", "four", func(q *backend.ReviewCommitRequest) { q.SignOff = true }), "four\n\nVoxPilot-Chat: Fix Signed-off-by: me it\nSigned-off-by: Ann <ann@example.org>")
	f.equal(commit(" \n", "five", plain), "five")
	f.equal(commit(strings.Repeat("ä", 200), "six", plain), "six\n\nVoxPilot-Chat: "+strings.Repeat("ä", 99)+"…")
}
