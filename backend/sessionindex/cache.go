package sessionindex

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// cacheVersion is the version of the cache's format. A cache with another version is ignored.
const cacheVersion = 1

const (
	maxCache = 512 << 20        // bytes of a cache that is read
	saveAge  = 30 * time.Second // time between two saves while sessions change
)

// cache is the stored form of an index.
type cache struct {
	Version int                         `json:"version"`
	Homes   map[string]map[string]Known `json:"homes"` // by directory and session ID
}

// load reads the cache, once. Without a usable cache, all sessions are read again.
func (i *Index) load() {
	i.mu.Lock()
	loaded := i.loaded
	i.loaded = true
	i.mu.Unlock()
	if loaded || i.cfg.Cache == "" {
		return
	}
	c, err := readCache(i.cfg.Cache)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		i.cfg.Log.Info("couldn't use the stored list of the Copilot CLI's sessions", "err", err)
	}
	i.mu.Lock()
	i.cached = c.Homes
	i.mu.Unlock()
}

var errOtherVersion = errors.New("the cache is from another version of VoxPilot")

func readCache(path string) (c cache, err error) {
	file, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxCache))
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return cache{}, err
	}
	if c.Version != cacheVersion {
		return cache{}, errOtherVersion
	}
	return c, nil
}

// save stores the index, if it has changed.
func (i *Index) save() {
	i.mu.Lock()
	skip := !i.unsaved || i.cfg.Cache == ""
	c := cache{Version: cacheVersion, Homes: map[string]map[string]Known{}}
	for _, h := range i.homes {
		sessions := map[string]Known{}
		for id, e := range h.sessions {
			sessions[id] = e.Known
		}
		c.Homes[h.dir] = sessions
	}
	i.unsaved, i.saved = false, time.Now()
	i.mu.Unlock()
	if skip {
		return
	}
	err := atomicfile.Write(i.cfg.Cache, func(w io.Writer) error { return json.NewEncoder(w).Encode(c) })
	if err != nil {
		i.cfg.Log.Warn("couldn't store the list of the Copilot CLI's sessions", "err", err)
	}
}
