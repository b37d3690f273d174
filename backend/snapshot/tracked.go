package snapshot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// trackedFiles holds those files in a folder that git tracks although the rules exclude them.
type trackedFiles struct {
	files []string // relative to the folder
	index index    // state of git's index when git listed the files
	at    time.Time
}

// index identifies the state of git's index in a repository.
type index struct {
	dir         string // Git directory
	size, mtime int64  // in bytes, and in nanoseconds since 1970
}

// trackedIn returns those files in a folder that the given repository tracks although the rules exclude them. The
// parameter last is the last result for the folder. trackedIn returns it again, without running git, unless the index
// has changed or may have changed. It also returns it if git fails. If there is no index, the result is empty.
func (s *Store) trackedIn(ctx context.Context, dir string, repo workspace.Repository, last trackedFiles) trackedFiles {
	if repo.Dir == "" {
		return trackedFiles{}
	}
	info, err := os.Stat(filepath.Join(repo.Dir, "index"))
	if err != nil {
		return trackedFiles{}
	}
	now := index{repo.Dir, info.Size(), info.ModTime().UnixNano()}
	if last.index == now && !(stat{mtime: now.mtime}).isRacy(last.at) {
		return last
	}
	started := time.Now()
	out, err := s.git(ctx, dir, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
	if err != nil {
		return last
	}
	last = trackedFiles{index: now, at: started}
	if len(out) > 0 {
		last.files = strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	}
	return last
}

// forgetTracked makes the next scan ask git again which files are tracked although they are ignored.
func (s *Store) forgetTracked() {
	s.tracked.index = index{}
	for at, n := range s.nested {
		n.tracked.index = index{}
		s.nested[at] = n
	}
}

// nested holds the rules of a nested repository, and the values from which they were derived.
type nested struct {
	rules   *ruleSet
	exclude string // content of its info/exclude
	tracked trackedFiles
}

// nestedRules returns the rules for the nested repository at a path: the user's global rules and those in the
// repository's info/exclude. The rules also include the files that the repository tracks although they are ignored,
// unless ignored is set, which means that the repository around it ignores the path.
func (s *Store) nestedRules(ctx context.Context, at string, ignored bool) *ruleSet {
	dir := filepath.Join(s.folder, filepath.FromSlash(at))
	repo := workspace.FindRepository(dir)
	text := s.sources[0].text
	exclude := ""
	if repo.Dir != "" {
		exclude = readRules(filepath.Join(repo.Common, "info", "exclude"))
	}
	s.nestedMu.Lock()
	was := s.nested[at]
	s.nestedMu.Unlock()
	var tracked trackedFiles
	if !ignored {
		if was.exclude != exclude {
			was.tracked.index = index{}
		}
		tracked = s.trackedIn(ctx, dir, repo, was.tracked)
	}
	rules := was.rules
	if rules == nil || was.exclude != exclude || !slices.Equal(was.tracked.files, tracked.files) {
		rules = &ruleSet{cut: at + "/", list: workspace.IgnoreRules{}.With(".", []byte(text)).With(".", []byte(exclude))}
		var files []string
		for _, file := range tracked.files {
			files = append(files, rules.cut+file)
		}
		rules.own = inclusionsOf(files)
	}
	s.nestedMu.Lock()
	defer s.nestedMu.Unlock()
	if s.nested == nil {
		s.nested = map[string]nested{}
	}
	s.nested[at] = nested{rules, exclude, tracked}
	return rules
}

// git runs git in a folder and returns its output. The command must not change the repository.
func (s *Store) git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	program := workspace.Program(s.folder, s.cfg.LoginPath(), "git")
	if program == "" {
		return nil, errors.New("git not found")
	}
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	return workspace.Command(ctx, dir, program, workspace.GitEnvironment(s.cfg.LoginPath()), append(workspace.GitOptions(), args...)...).Output()
}
