package snapshot

import "path/filepath"

// private returns the paths of VoxPilot's data folder and of Config.Private relative to the chat's folder, as far as they
// are in it.
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
