package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// rootUID is the number that root has in the sandbox of an agent.
const rootUID = "65534"

// Agent prepares the start of a whole agent in a sandbox: the program at path with args, which don't include
// its name. The caller starts Agent.Path at most once, in the chat's folder. ended, which may be nil, is
// called when the agent and all of its processes have ended, or when it was discarded by its ID.
//
// The agent gets its environment from its process, not from a file, since it contains its token. Commands and
// hooks in nested sandboxes can't read it.
func (s *Sandbox) Agent(ctx context.Context, p AgentPolicy, path string, args []string, ended func()) (*Agent, error) {
	if err := contextErr(ctx); err != nil {
		return nil, err
	}
	if err := checkPaths([]string{p.Folder, path}, p.Home, p.Write, p.Hidden, p.Protected, p.Mask); err != nil {
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
	a := &Agent{ID: r.id, Dir: filepath.Join(s.cfg.Dir, agentsDir, r.id), real: map[string]string{}}
	a.runs = filepath.Join(a.Dir, runsDir)
	err = os.MkdirAll(a.runs, 0o700)
	if err == nil {
		err = s.prepareAgent(ctx, r, a, p, append([]string{path, path}, args...))
	}
	if err == nil {
		r.ended = func() {
			if err := removeAll(a.Dir); err != nil {
				s.cfg.Log.Warn("couldn't remove the folder of an agent in the sandbox", "err", err)
			}
			if ended != nil {
				ended()
			}
		}
		err = r.watch(false)
	}
	if err != nil {
		r.ended = nil
		r.clean()
		return nil, errors.Join(err, removeAll(a.Dir))
	}
	a.Path = s.cfg.Program
	a.Args = []string{inside.StartArg, r.dir, bwrap}
	if os.Geteuid() == 0 {
		// The kernel lets root without privileges create no user namespace in which it is root again, as a
		// nested sandbox would.
		a.Args = append(a.Args, "--uid", rootUID, "--gid", rootUID)
	}
	a.Args = append(a.Args, bwrapArgs(s.cfg.Program, backend.NetworkOn)...)
	return a, nil
}

// prepareAgent writes the files of an agent's run.
func (s *Sandbox) prepareAgent(ctx context.Context, r *run, a *Agent, p AgentPolicy, command []string) error {
	folder, err := checkFolder(p.Folder, p.Hidden)
	if err != nil {
		return err
	}
	if folder == "/" {
		return errRoot
	}
	m := &mounts{places: map[string]view{}, own: map[string]bool{}, run: r}
	if err := s.basics(m, Policy{Temp: true}, folder); err != nil {
		return err
	}
	m.add(folder, view{mount: writable, from: folder})
	for _, path := range p.Write {
		m.write(path)
	}
	if err := m.mask(a, p.Folder, folder, p.Mask); err != nil {
		return err
	}
	if err := m.restrict(p.Folder, folder, p.Hidden, p.Protected); err != nil {
		return err
	}
	for _, path := range p.Home {
		if _, err := os.Stat(path); err == nil {
			path = real(path)
			m.places[path] = view{mount: writable, from: path}
			m.own[path] = true
		}
	}
	m.keep(a.Dir, view{mount: protected, from: a.Dir})
	if p.Caches != "" {
		if err := os.MkdirAll(p.Caches, 0o700); err != nil {
			return err
		}
		m.keep(real(p.Caches), view{mount: writable, from: real(p.Caches)})
	}
	if err := m.linkTool(s.cfg.Program, insideProgram); err != nil {
		return err
	}
	if err := m.skeleton(); err != nil {
		return err
	}
	settings, err := GitConfig(ctx, folder, s.cfg.Path)
	if err != nil {
		return err
	}
	for _, v := range p.Env {
		if name, _, _ := strings.Cut(v, "="); !isSession(name) {
			a.Env = append(a.Env, v)
		}
	}
	a.Env = gitConfig(set(a.Env, "TMPDIR=/tmp"), settings...)
	return r.save(inside.Job{Command: command, Mounts: m.list(), Proc: true, Root: os.Geteuid() == 0})
}

// mask makes places of the repository empty, and keeps their real content for nested commands.
func (m *mounts) mask(a *Agent, named, folder string, paths []string) error {
	for i, path := range paths {
		if below(named, path) {
			path = folder + path[len(named):]
		}
		info, err := os.Lstat(path)
		if err != nil {
			continue // nothing to mask
		}
		if info.Mode()&os.ModeSymlink != 0 || real(path) != filepath.Clean(path) {
			return backend.Invalid("The agent can't run in the sandbox because %s is a link, so its content can't be hidden.", path)
		}
		name := strconv.Itoa(i)
		masking := view{mount: masked}
		if !info.IsDir() {
			masking.from = m.run.file(emptyFile)
		}
		if err := m.protect(path); err != nil {
			return err
		}
		m.keep(filepath.Join(insideDir, name), view{mount: protected, from: path})
		m.add(path, masking)
		a.real[path] = filepath.Join(insideDir, name)
	}
	return nil
}

// ownProc reports whether a command has a /proc of its own. The kernel lets root mount none in the sandbox of
// an agent, in which parts of /proc are covered, as they must be for root. The agent's processes are then
// visible, but they belong to another user namespace, so their environment and memory aren't.
func (a *Agent) ownProc() bool { return a == nil || os.Geteuid() != 0 }

// unmask shows a nested command what is masked for the agent.
func (a *Agent) unmask(m *mounts) error {
	for path, from := range a.real {
		if err := m.protect(path); err != nil {
			return err
		}
		if m.places[path].mount != masked {
			m.places[path] = view{mount: protected, from: from}
		}
	}
	return nil
}
