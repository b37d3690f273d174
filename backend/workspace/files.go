package workspace

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// MaxFiles is how many files and folders of a chat's folder can be found by
// their names.
const MaxFiles = 100_000

// Files finds files of folders by parts of their names. What a folder has is
// read when it is first asked about, and again in the background. Its methods are
// safe for concurrent use.
type Files struct {
	cfg   FilesConfig
	ctx   context.Context // of the reading; ends with Close
	end   context.CancelFunc
	reads sync.WaitGroup

	mu      sync.Mutex
	folders map[string]*listing
}

// FilesConfig is what Files needs of the rest of the app.
type FilesConfig struct {
	// LoginPath is the user's PATH, where git is looked for.
	LoginPath func() string
	// Fresh is for how long what was read of a folder is not read again.
	Fresh time.Duration
}

// FileMatches are the files that fit, the best first.
//
//tsgen:name FoundFiles
type FileMatches struct {
	Files []File `json:"files"`
	Total int    `json:"total"` // how many fit
	// Reading says that the folder is still being read for the first time: there
	// may be others.
	Reading bool `json:"reading,omitempty"`
}

// File is a file or a folder that fits.
//
//tsgen:name FoundFile
type File struct {
	Path string `json:"path"` // from the folder on, with slashes; a folder ends with one
	// Marks are the positions in Path that were asked for, counted in UTF-16 as a
	// page does.
	Marks []int `json:"marks"`
}

// listing is what is known of a folder.
type listing struct {
	names     *names        // nil before it was read once
	ready     chan struct{} // closed when it was
	reading   bool
	readAt    time.Time // when the last reading ended
	usedAt    time.Time
	mentioned []string // what the user has named, the newest first
}

const (
	// firstWait is how long a question waits for the first reading of a folder.
	firstWait = 1500 * time.Millisecond
	// maxCachedFolders is of how many folders the names are kept, maxMentions how
	// many names that the user has used.
	maxCachedFolders = 8
	maxMentions      = 50
)

// NewFiles makes a Files that has read nothing yet.
func NewFiles(cfg FilesConfig) *Files {
	f := &Files{cfg: cfg, folders: map[string]*listing{}}
	f.ctx, f.end = context.WithCancel(context.Background())
	return f
}

// Close ends what is read and waits for it, at most until ctx ends: a folder of a
// server that does not answer cannot be left.
func (f *Files) Close(ctx context.Context) error {
	f.mu.Lock()
	f.end()
	f.mu.Unlock()
	done := make(chan struct{})
	go func() {
		f.reads.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Find is at most limit files of a folder whose names have the letters of query
// in that order, words in any. Without a query it is what the user has named and
// what was changed last.
//
// What git ignores is left out, and so is what a link leads to out of the folder.
func (f *Files) Find(ctx context.Context, folder, query string, limit int) (FileMatches, error) {
	l := f.listing(folder)
	f.mu.Lock()
	names, ready, mentioned := l.names, l.ready, l.mentioned
	f.mu.Unlock()
	if names == nil {
		late := time.NewTimer(firstWait)
		defer late.Stop()
		select {
		case <-ready:
		case <-late.C:
		case <-ctx.Done():
		}
		f.mu.Lock()
		names = l.names
		f.mu.Unlock()
	}
	if names == nil {
		return FileMatches{Files: []File{}, Reading: true}, nil
	}
	if strings.TrimSpace(query) == "" {
		return names.recentFiles(mentioned, limit), nil
	}
	return names.find(ctx, query, limit)
}

// NoteMention notes that the user has named a file of a folder, so that it is found
// first.
func (f *Files) NoteMention(folder, path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.folders[folder]
	if l == nil {
		return // nobody has asked for a file there
	}
	rest := slices.DeleteFunc(slices.Clone(l.mentioned), func(was string) bool { return was == path })
	l.mentioned = append([]string{path}, rest[:min(len(rest), maxMentions-1)]...)
}

// listing is what is known of a folder, which is read in the background where it
// is time to.
func (f *Files) listing(folder string) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.folders[folder]
	if l == nil {
		f.forget()
		l = &listing{ready: make(chan struct{})}
		f.folders[folder] = l
	}
	now := time.Now()
	l.usedAt = now
	if l.reading || f.ctx.Err() != nil || l.names != nil && now.Sub(l.readAt) < f.cfg.Fresh {
		return l
	}
	l.reading = true
	f.reads.Go(func() {
		names := newNames(f.read(f.ctx, folder))
		f.mu.Lock()
		defer f.mu.Unlock()
		l.reading, l.readAt = false, time.Now()
		if f.ctx.Err() != nil {
			return
		}
		if l.names == nil {
			close(l.ready)
		}
		l.names = names
	})
	return l
}

// forget makes room for another folder. f.mu is held.
func (f *Files) forget() {
	for len(f.folders) >= maxCachedFolders {
		oldest := ""
		for folder, l := range f.folders {
			if oldest == "" || l.usedAt.Before(f.folders[oldest].usedAt) {
				oldest = folder
			}
		}
		delete(f.folders, oldest)
	}
}
