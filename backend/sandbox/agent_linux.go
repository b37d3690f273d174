package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// Agent prepares a sandbox for an agent. The agent is the program at path, and args are its arguments without the
// program's name. To start the agent, the caller runs the result's Path with its Args in the chat's folder, at most
// once. If Agent succeeds and ended isn't nil, ended is called when all processes of the agent have ended, or when the
// sandbox was discarded before the agent started.
//
// The agent inherits its environment, which contains its token. The environment isn't written to a file, because other
// programs could read that file. Commands that run with Policy.In have their own sandboxes and can't read the
// environment. With AgentPolicy.HideMemory, other processes in the agent's sandbox can't read it, either.
func (s *Sandbox) Agent(ctx context.Context, p AgentPolicy, path string, args []string, ended func()) (*Agent, error) {
	if err := contextErr(ctx); err != nil {
		return nil, err
	}
	if err := checkPaths([]string{p.Folder, path}, p.Home, p.Write, p.Hidden, p.Protected, p.Read, p.Mask); err != nil {
		return nil, err
	}
	bwrap := program(s.cfg.Path, "", "bwrap")
	if bwrap == "" {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The agent can't run in the sandbox because bubblewrap isn't installed.")}
	}
	r, err := s.newRun(filepath.Join(s.cfg.Dir, runsDir), nil)
	if err != nil {
		return nil, err
	}
	a := &Agent{ID: r.id}
	if a.launcher, err = s.openLauncher(r.file(launcherFile)); err == nil {
		err = s.prepareAgent(ctx, r, a, p, append([]string{path, path}, args...))
	}
	if err == nil {
		r.ended = func() {
			a.launcher.close()
			if ended != nil {
				ended()
			}
		}
		err = r.watch(false)
	}
	if err != nil {
		if a.launcher != nil {
			a.launcher.close()
		}
		r.ended = nil
		r.clean()
		return nil, err
	}
	a.Path = s.cfg.Program
	a.Args = append([]string{inside.StartArg, r.dir, bwrap}, bwrapArgs(s.cfg.Program, backend.NetworkOn)...)
	return a, nil
}

// prepareAgent writes the files that an agent's run needs, and sets a.Env.
func (s *Sandbox) prepareAgent(ctx context.Context, r *run, a *Agent, p AgentPolicy, command []string) error {
	m := newMounts(r)
	folder, err := checkFolder(p.Folder, p.Hidden, m.real)
	if err != nil {
		return err
	}
	if folder == "/" {
		return errRoot
	}
	if err := s.basics(m, Policy{Temp: true}, folder); err != nil {
		return err
	}
	m.add(folder, view{mount: writable, from: folder})
	for _, path := range p.Write {
		m.write(path)
	}
	env := p.Env
	if p.Caches != "" {
		wait, err := s.caches(ctx, r, m, Policy{Folder: p.Folder, Caches: p.Caches}, env)
		if err != nil {
			return err
		}
		if env, err = wait(); err != nil {
			return err
		}
	}
	if err := m.mask(p.Folder, folder, p.Mask, p.KeepSizes); err != nil {
		return err
	}
	if err := m.restrict(p.Folder, folder, p.Hidden, p.Protected, sockets); err != nil {
		return err
	}
	for _, path := range p.Home {
		if _, err := os.Stat(path); err == nil {
			path = real(path)
			m.places[path] = view{mount: writable, from: path}
			m.own[path] = true
		}
	}
	for _, path := range p.Read {
		if _, err := os.Stat(path); err == nil {
			path = real(path)
			m.places[path] = view{mount: protected, from: path}
			m.own[path] = true
		}
	}
	if err := m.linkTool(s.cfg.Program, insideProgram); err != nil {
		return err
	}
	if err := m.linkTool(r.file(launcherFile), inside.LauncherPath); err != nil {
		return err
	}
	if err := m.skeleton(); err != nil {
		return err
	}
	for _, v := range env {
		if name, _, _ := strings.Cut(v, "="); !isSession(name) {
			a.Env = append(a.Env, v)
		}
	}
	a.Env = m.gitConfig(set(a.Env, "TMPDIR=/tmp"))
	if p.NoGitPrograms {
		if a.Env, err = WithoutGitPrograms(ctx, folder, s.cfg.Path, a.Env); err != nil {
			return err
		}
	}
	return r.save(inside.Job{
		Command: command, Mounts: m.list(), Proc: true, Root: os.Geteuid() == 0, Write: m.folders(), Sockets: append([]string{inside.LauncherPath}, p.Read...), NoUserNS: true, Hide: p.HideMemory,
	})
}

// mask makes the files and folders in paths appear empty in the sandbox. If keepSizes is true, a regular file instead
// appears with its real size and time but with other content (see counterfeit). named is the chat's folder as given by
// the caller, and folder is the same path with links resolved. mask skips paths that don't exist and returns an error
// if a path contains a symbolic link.
func (m *mounts) mask(named, folder string, paths []string, keepSizes bool) error {
	for _, path := range paths {
		if below(named, path) {
			path = folder + path[len(named):]
		}
		info, err := os.Lstat(path)
		if err != nil {
			continue // nothing to mask
		}
		if info.Mode()&os.ModeSymlink != 0 || real(path) != filepath.Clean(path) {
			return backend.Invalid("The agent can't run in the sandbox: VoxPilot can't hide the content of %s because the path contains a symbolic link.", path)
		}
		masking := view{mount: masked}
		switch {
		case info.IsDir():
		case keepSizes && info.Mode().IsRegular():
			if masking.from, err = m.run.counterfeit(info, true); err != nil {
				return err
			}
			m.counterfeit = true
		default:
			masking.from = m.run.file(emptyFile)
		}
		if err := m.protect(path); err != nil {
			return err
		}
		m.add(path, masking)
	}
	return nil
}
