package snapshot

import "path/filepath"

// private returns the paths of VoxPilot's data folder and of Config.Private relative to the chat's folder. It leaves
// out those outside that folder.
func (s *Store) private() map[string]bool {
	folder, err := filepath.EvalSymlinks(s.folder)
	if err != nil {
		return nil
	}
	all := []string{s.cfg.Data}
	if s.cfg.Private != nil {
		all = append(all, s.cfg.Private(filepath.Base(s.dir))...)
	}
	paths := map[string]bool{}
	for _, dir := range all {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(folder, real); err == nil && filepath.IsLocal(rel) && rel != "." {
			paths[filepath.ToSlash(rel)] = true
		}
	}
	return paths
}

// addRepository adds a ".git" to c.repos. name is its name in the open directory d, and path is its path relative to
// the chat's folder.
func (c *scanner) addRepository(d folder, name, path string) {
	st, err := d.lstat(name)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.repos) < maxOmitted {
		c.repos = append(c.repos, Repository{path, st.ino, st.dev})
	}
}
