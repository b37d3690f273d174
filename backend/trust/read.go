package trust

import (
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Text is the text of a file that a request lists.
//
//tsgen:name TrustText
type Text struct {
	Text string `json:"text"`
	Size int64  `json:"size"` // of the whole file, in bytes
	Cut  bool   `json:"cut"`  // Text is only its beginning
}

// maxText is how much of a file is shown.
const maxText = 256 << 10

// Read is a file as it is now, where the request with this id lists it. A link
// that leads out of the repository is not followed.
func (d *Desk) Read(id, file string) (Text, error) {
	unread := &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("Couldn't read the file. It may have been moved or deleted, or a link leads out of the folder.")}
	found, name := d.listed(id, file)
	if name == "" {
		return Text{}, errNotAsked
	}
	r := openReader(found)
	defer r.close()
	root, name := r.at(name)
	if root == nil {
		return Text{}, unread
	}
	f, err := root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		unread.Detail = err.Error()
		return Text{}, unread
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return Text{}, unread
	}
	body, err := io.ReadAll(io.LimitReader(f, maxText))
	if err != nil {
		unread.Detail = err.Error()
		return Text{}, unread
	}
	return Text{Text: valid(string(body)), Size: max(info.Size(), int64(len(body))), Cut: info.Size() > int64(len(body))}, nil
}

// listed is what was found where the request lists the file, and the file's name
// there; "" where it does not.
func (d *Desk) listed(id, file string) (found Found, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, r := range d.asked {
		shown := func(e backend.TrustEntry) bool { return e.File == file }
		if r.ID != id || !slices.ContainsFunc(r.Runs, shown) && !slices.ContainsFunc(r.Steers, shown) {
			continue
		}
		for _, w := range d.waitsFor(key) {
			for _, e := range slices.Concat(w.found.Entries, w.found.Steers) {
				if valid(e.File) == file {
					return w.found, e.File
				}
			}
		}
	}
	return Found{}, ""
}

// reader reads files of a folder that was looked at. Nothing leads it out of the
// repository or its git directory.
type reader struct {
	work, git *os.Root // nil where there is none
	bare      bool
}

func openReader(f Found) *reader {
	r := &reader{bare: f.Common != "" && f.Common == f.Root}
	r.work, _ = os.OpenRoot(f.Root) // without it nothing is known of the files
	if f.Common != "" {
		r.git, _ = os.OpenRoot(f.Common)
	}
	return r
}

func (r *reader) close() {
	for _, root := range []*os.Root{r.work, r.git} {
		if root != nil {
			_ = root.Close() // it was only read
		}
	}
}

// at is where a file of the inventory is.
func (r *reader) at(file string) (root *os.Root, name string) {
	if in, ok := strings.CutPrefix(file, ".git/"); ok && !r.bare {
		return r.git, in
	}
	return r.work, file
}

// stat notes the size and the time of the entry's file.
func (r *reader) stat(e *backend.TrustEntry) {
	root, name := r.at(e.File)
	if root == nil {
		return
	}
	if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() {
		e.Size, e.ChangedAt = info.Size(), backend.Millis(info.ModTime().UnixMilli())
	}
}

// read is a small file of the git directory; nil where there is none.
func (r *reader) read(name string) []byte {
	if r.git == nil {
		return nil
	}
	info, err := r.git.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil
	}
	body, err := r.git.ReadFile(name)
	if err != nil {
		return nil
	}
	return body
}

// origin is where the repository was cloned from, as its configuration says, and
// when: the time of a file that git makes then and never writes again.
func (r *reader) origin() (from string, at backend.Millis) {
	settings, _ := parseConfig(string(r.read("config"))) // what can't be read says nothing
	for _, s := range settings {
		if s.section == "remote" && s.sub == "origin" && s.variable == "url" {
			from = hostAndPath(s.value)
		}
	}
	if from == "" {
		return "", 0
	}
	for _, name := range []string{"description", path.Join("info", "exclude")} {
		if info, err := r.git.Stat(name); err == nil {
			return from, backend.Millis(info.ModTime().UnixMilli())
		}
	}
	return from, 0
}
