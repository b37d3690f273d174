package runs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox"
	"github.com/voxpilot/voxpilot/internal/process"
)

// AgentStart describes the start of a whole agent in the sandbox.
type AgentStart struct {
	Folder string // the agent's working directory
	// Program holds the agent's program and its arguments, which identify the agent.
	Program []string
	Home    string   // the agent's own folder, or "" for the program's usual folders
	Read    []string // files and folders that the agent can read, even if they would otherwise be hidden
	Mask    []string // files and folders that appear empty to the agent
	// Copilot means that the agent is the Copilot CLI. Its commands have their own sandboxes, and its memory is hidden
	// from hooks.
	Copilot bool
}

// WrapAgent returns a function that prepares a chat's agent to run in the sandbox. It is meant for process.Spec.Wrap.
func (m *Manager) WrapAgent(chat backend.Chat, a AgentStart) process.Wrapper {
	return func(path string, args, env, write []string) (string, []string, []string, error) {
		m.mu.Lock()
		inner := m.inner
		m.mu.Unlock()
		if inner == nil {
			return "", nil, nil, backend.Problem("VoxPilot is closing")
		}
		p := m.policy(chat, Command{Folder: a.Folder, Env: env})
		policy := sandbox.AgentPolicy{
			Folder: p.Folder, Write: append(p.Write, write...), Hidden: p.Hidden, Protected: slices.DeleteFunc(p.Protected, a.breaksOn), Read: a.Read, Mask: a.Mask,
			Home: m.homes(a, env), Env: env, HideMemory: a.Copilot, NoGitPrograms: chat.Sandbox.Masked,
			KeepSizes: !a.Copilot, // for the Copilot CLI it isn't needed: git in its commands sees the real files
		}
		if !a.Copilot {
			policy.Caches = p.Caches
		}
		// The agent may exit before Agent returns. Both variables are guarded by m.mu.
		var current *sandbox.Agent
		exited := false
		started, err := inner.Agent(m.ctx, policy, path, args, func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			exited = true
			if current != nil && m.agents[chat.ID] == current {
				delete(m.agents, chat.ID)
			}
		})
		if err != nil {
			return "", nil, nil, err
		}
		m.mu.Lock()
		if current = started; !exited {
			m.agents[chat.ID] = started
		}
		m.mu.Unlock()
		return started.Path, started.Args, started.Env, nil
	}
}

// Leave prepares a command to run outside the sandbox, for a chat whose whole agent runs in the sandbox. For other
// chats, it prepares nothing, and needed is false.
func (m *Manager) Leave(chatID, line, folder string, env []string) (r Run, needed bool, err error) {
	m.mu.Lock()
	a := m.agents[chatID]
	m.mu.Unlock()
	if a == nil {
		return Run{}, false, nil
	}
	shell, discard, err := a.Outside(line, folder, env)
	return Run{Shell: shell, Discard: discard}, true, err
}

// agentHomes lists the files and folders that agents write to, relative to the home folder. A key is a name that occurs
// in the agent's command line.
var agentHomes = map[string][]string{
	"claude":   {".claude", ".claude.json", ".config/claude", ".cache/claude-cli-nodejs", ".local/state/claude"},
	"codex":    {".codex"},
	"copilot":  {".copilot", ".cache/copilot"},
	"cursor":   {".cursor", ".config/cursor"},
	"gemini":   {".gemini"},
	"goose":    {".config/goose", ".local/share/goose", ".local/state/goose"},
	"opencode": {".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"},
	"qwen":     {".qwen"},
}

// name returns the agent's key in agentHomes, or "" if the agent isn't known. In a path that contains several keys, the
// last one counts: it is the one in or closest to the program's file name.
func (a AgentStart) name() (name string) {
	for _, word := range a.Program {
		last := -1
		for known := range agentHomes {
			if at := strings.LastIndex(strings.ToLower(word), known); at > last {
				name, last = known, at
			}
		}
		if name != "" {
			return name
		}
	}
	return ""
}

// breaksOn reports whether the agent fails to start if an empty folder is mounted in place of a missing protected file.
// Such a file isn't protected. If the agent creates it, VoxPilot asks the user about it before the next start.
func (a AgentStart) breaksOn(protected string) bool {
	own := slices.ContainsFunc(strings.Split(protected, "/"), func(part string) bool {
		return part == ".opencode" || part == "opencode.json" || part == "opencode.jsonc"
	})
	if a.name() != "opencode" || !own {
		return false
	}
	_, err := os.Lstat(protected)
	return errors.Is(err, fs.ErrNotExist)
}

// homeVariables maps each environment variable that sets the path of an agent's own folder to the agent's key in
// agentHomes.
var homeVariables = map[string]string{
	"CLAUDE_CONFIG_DIR": "claude", "CODEX_HOME": "codex", "COPILOT_HOME": "copilot", "QWEN_HOME": "qwen", "QWEN_RUNTIME_DIR": "qwen",
}

// homes returns the agent's own files and folders, to which the agent may write. It creates folders that don't exist.
func (m *Manager) homes(a AgentStart, env []string) (places []string) {
	if a.Home != "" {
		places = append(places, a.Home)
	}
	name, home := a.name(), m.home
	for _, v := range env {
		key, value, _ := strings.Cut(v, "=")
		switch {
		case key == "HOME" && filepath.IsAbs(value):
			home = value
		case homeVariables[key] != "" && homeVariables[key] == name && filepath.IsAbs(value):
			places = append(places, value)
		}
	}
	if a.Home == "" || !a.Copilot {
		for _, place := range agentHomes[name] {
			places = append(places, filepath.Join(home, filepath.FromSlash(place)))
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	for _, place := range places {
		if strings.HasSuffix(place, ".json") { // a file
			continue
		}
		// The agent couldn't create the folder itself, because it can't write to the home folder.
		if err := os.MkdirAll(place, 0o700); err != nil {
			m.cfg.Log.Warn("couldn't make an agent's folder", "folder", place, "err", err)
		}
	}
	return places
}

// Shows reports whether the chat's agent can read a file. It assumes that the whole agent runs in the sandbox.
func (m *Manager) Shows(chat backend.Chat, file string) bool {
	p := m.policy(chat, Command{Folder: chat.Folder})
	file = realPath(file)
	if slices.ContainsFunc(append([]string{p.Folder}, p.Write...), func(dir string) bool { return below(dir, file) }) {
		return true
	}
	return !slices.ContainsFunc(append([]string{"/tmp", "/var/tmp", "/run", "/var/run"}, p.Hidden...), func(dir string) bool { return below(realPath(dir), file) })
}
