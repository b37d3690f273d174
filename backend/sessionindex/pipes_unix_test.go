//go:build unix

package sessionindex_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// makePipes creates sessions whose files are pipes and sockets that nothing writes to.
func makePipes(w *fixture) {
	w.Helper()
	for _, name := range []string{"events.jsonl", "workspace.yaml"} {
		id := w.session("/gone")
		path := filepath.Join(w.dir(id), name)
		w.check(os.RemoveAll(path))
		w.check(syscall.Mkfifo(path, 0o600))
	}
	id := w.session("/gone")
	w.check(os.Remove(w.log(id)))
	w.Chdir(w.dir(id)) // the path of a socket must be short
	l, err := net.Listen("unix", "events.jsonl")
	w.check(err)
	w.Cleanup(func() { w.check(l.Close()) })
}
