package workspace

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// MaxFiles is the maximum number of files and folders in a chat's folder that can be searched.
const MaxFiles = 100_000

// Files finds files in folders by parts of their names. A folder is read on first use
// and refreshed in the background. Files is safe for concurrent use.
type Files struct {
	cfg   FilesConfig
	ctx   context.Context // of reads; canceled by Close
	end   context.CancelFunc
	reads sync.WaitGroup

	mu      sync.Mutex
	folders map[string]*listing
}

// FilesConfig configures Files.
type FilesConfig struct {
	// LoginPath returns the user's PATH, which is searched for git.
	LoginPath func() string
	// Fresh is the time after a read during which the folder isn't read again.
	Fresh time.Duration
}

// FileMatches are the matching files, best first.
//
//tsgen:name FoundFiles
type FileMatches struct {
	Files []File `json:"files"`
	Total int    `json:"total"` // number of matches
	// Reading is true while the folder is being read for the first time. Files is then empty.
	Reading bool `json:"reading,omitempty"`
}

// File is a matching file or folder.
//
//tsgen:name FoundFile
type File struct {
	Path string `json:"path"` // relative to the folder, with slashes; a folder has a trailing slash
	// Marks are the matching positions in Path, in UTF-16 code units.
	Marks []int `json:"marks"`
}

// listing is the cached content of a folder.
type listing struct {
	names     *names        // nil until the first read is done
	ready     chan struct{} // closed after the first read
	reading   bool
	readAt    time.Time // end of the last read
	usedAt    time.Time
	mentioned []string // paths mentioned by the user, newest first
}

const (
	// firstWait is the maximum time a search waits for the first read of a folder.
	firstWait = 1500 * time.Millisecond
	// maxCachedFolders is the maximum number of cached folders. maxMentions is the maximum number of
	// paths per folder that are remembered because the user mentioned them.
	maxCachedFolders = 8
	maxMentions      = 50
)

// NewFiles creates a Files that hasn't read anything yet.
func NewFiles(cfg FilesConfig) *Files {
	f := &Files{cfg: cfg, folders: map[string]*listing{}}
	f.ctx, f.end = context.WithCancel(context.Background())
	return f
}

// Close cancels reads and waits for them until ctx ends: a read of an unresponsive
// network folder can't be canceled.
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

// Find returns up to limit files and folders whose paths contain the letters of each word of the query in order. The
// words themselves may match in any order. Without a query, Find returns the files that the user mentioned last, then
// those that changed last, then folders.
//
// Links that lead out of the folder and files ignored by git are left out.
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

// NoteMention records that the user has mentioned a file in a folder, so that Find without a query lists it first. It
// does nothing if the folder hasn't been searched yet.
func (f *Files) NoteMention(folder, path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.folders[folder]
	if l == nil {
		return // the folder hasn't been searched
	}
	rest := slices.DeleteFunc(slices.Clone(l.mentioned), func(was string) bool { return was == path })
	l.mentioned = append([]string{path}, rest[:min(len(rest), maxMentions-1)]...)
}

// listing returns the cached content of a folder, and refreshes it in the background if it is outdated.
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

// forget drops the least recently used folders to make room for another one. The caller must hold f.mu.
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
