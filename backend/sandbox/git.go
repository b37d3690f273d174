package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// Files and folders in the git directory of a repository or worktree that determine what git runs and where
// it finds it.
var (
	gitProtected      = []string{"config", "config.worktree", "hooks", "info", "commondir"}
	worktreeProtected = []string{"config.worktree", "commondir", "gitdir"}
)

// gitFiles are git's files that must be files even as mount points, with content that is equivalent to a
// missing file.
var gitFiles = map[string]string{"config.worktree": "", "commondir": "."}

// maxModules is the maximum number of git directories of worktrees and submodules that are protected
// individually.
const maxModules = 100

// GitPlaces returns the git directories outside of a folder that git must be able to write to, and the places
// to protect: those in these directories, in the folder's own git directory, and in those of its worktrees
// and submodules. If the folder has no repository, the places of one that a command could create are
// protected.
func GitPlaces(folder string) (write, protect []string) {
	repo := workspace.FindRepository(folder)
	link := filepath.Join(folder, ".git")
	if repo.Dir == "" {
		return nil, []string{link}
	}
	if info, err := os.Lstat(link); err == nil && !info.IsDir() {
		protect = append(protect, link) // it names the git directory
	}
	dirs := []string{repo.Common}
	if repo.Dir != repo.Common {
		dirs = append(dirs, repo.Dir)
	}
	if !below(folder, repo.Common) {
		write = append(write, repo.Common)
	}
	if !below(folder, repo.Dir) && !below(repo.Common, repo.Dir) {
		write = append(write, repo.Dir)
	}
	for _, pattern := range []string{"worktrees/*", "modules/*", "modules/*/modules/*", "modules/*/*"} {
		found, _ := filepath.Glob(filepath.Join(globEscape(repo.Common), pattern))
		for _, dir := range found {
			if exists(filepath.Join(dir, "HEAD")) && len(dirs) < maxModules && dir != repo.Dir {
				dirs = append(dirs, dir)
			}
		}
	}
	for _, dir := range dirs {
		names := gitProtected
		if exists(filepath.Join(dir, "gitdir")) {
			names = worktreeProtected
		}
		for _, name := range names {
			protect = append(protect, filepath.Join(dir, name))
		}
	}
	return write, protect
}

// globEscape returns a filepath.Match pattern that matches only path.
func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// Replacements for the programs that a repository's configuration names.
const (
	plainDiff  = `sh -c 'diff -u -- "$2" "$5" || :' diff`
	plainMerge = "git merge-file %A %O %B"
)

// GitConfig returns git settings, as pairs of keys and values for the environment, that keep git from running
// programs named in the repository's configuration. path is the user's PATH. Aliases still work: git runs
// them only when they are called by name.
func GitConfig(ctx context.Context, folder, path string) ([]string, error) {
	pairs := []string{
		"core.hooksPath", os.DevNull, "core.fsmonitor", "false", "core.sshCommand", "ssh", "core.editor", "true", "sequence.editor", "true", "core.askPass", "true", "core.pager", "cat", "core.alternateRefsCommand", "true",
		"gpg.program", "gpg", "gpg.ssh.program", "ssh-keygen", "gpg.x509.program", "gpgsm", "log.showSignature", "false", "interactive.diffFilter", "cat", "protocol.ext.allow", "never", "safe.bareRepository", "explicit",
	}
	git, env := workspace.Program(folder, path, "git"), workspace.GitEnvironment(path)
	if git == "" {
		return pairs, nil
	}
	args := append(workspace.GitOptions(), "config", "--null", "--show-scope", "--name-only", "--list")
	out, err := workspace.Command(ctx, folder, git, env, args...).Output()
	if err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		if scope := fields[i]; scope != "local" && scope != "worktree" {
			continue
		}
		if value, ok := harmless(fields[i+1]); ok {
			pairs = append(pairs, fields[i+1], value)
		}
	}
	return pairs, nil
}

// WithoutGitPrograms returns env with the settings from GitConfig.
func WithoutGitPrograms(ctx context.Context, folder, path string, env []string) ([]string, error) {
	settings, err := GitConfig(ctx, folder, path)
	if err != nil {
		return nil, err
	}
	return gitConfig(env, settings...), nil
}

// harmless returns the value that keeps a setting from running a program of the repository, or false for
// other settings.
func harmless(name string) (string, bool) {
	section, rest, _ := strings.Cut(name, ".")
	variable := rest[strings.LastIndexByte(rest, '.')+1:]
	switch strings.ToLower(section) + "." + strings.ToLower(variable) {
	case "diff.external", "diff.command":
		return plainDiff, true
	case "diff.textconv":
		return "cat", true
	case "filter.clean", "filter.smudge", "filter.process":
		return "", true
	case "filter.required":
		return "false", true
	case "merge.driver":
		return plainMerge, true
	case "credential.helper", "remote.vcs", "remote.proxy", "core.gitproxy", "trailer.command", "trailer.cmd":
		return "", true
	case "remote.uploadpack":
		return "git-upload-pack", true
	case "remote.receivepack":
		return "git-receive-pack", true
	case "submodule.update":
		return "checkout", true
	case "gpg.program":
		return "gpg", true
	}
	if strings.EqualFold(section, "pager") {
		return "false", true
	}
	return "", false
}
