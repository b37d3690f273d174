package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// gitProtected are the files and folders of a git directory that determine what git runs, and where it finds
// them.
var gitProtected = []string{"config", "config.worktree", "hooks", "info", "commondir", "gitdir"}

// maxModules is the maximum number of git directories of worktrees and submodules that are protected one by
// one.
const maxModules = 100

// GitPlaces returns the git directories outside of a folder that git must be able to write to, and the places
// to protect: in them, in that of the folder, and in those of its worktrees and submodules. If the folder has
// no repository, one that a command creates is protected too.
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
			if _, err := os.Stat(filepath.Join(dir, "HEAD")); err == nil && len(dirs) < maxModules && dir != repo.Dir {
				dirs = append(dirs, dir)
			}
		}
	}
	for i, dir := range dirs {
		for _, name := range gitProtected {
			file := filepath.Join(dir, name)
			_, err := os.Lstat(file)
			switch {
			case name == "commondir" && dir == repo.Common, name == "gitdir" && dir == repo.Common:
				// A main git directory has none. Git would follow one.
			case err != nil && i > 1:
				continue // a mount point in each would take too long; what exists is what git reads
			}
			protect = append(protect, file)
		}
	}
	return write, protect
}

// globEscape returns a pattern of filepath.Match for path itself.
func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// Replacements for the programs that a repository's configuration names.
const (
	plainDiff  = `sh -c 'diff -u -- "$2" "$5" || :' diff`
	plainMerge = "git merge-file %A %O %B"
)

// GitConfig returns the settings, as pairs of keys and values for the environment, with which git runs no
// program that the configuration of the repository names. path is the user's PATH. Aliases stay: git runs
// them only when they are called by their names.
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

// harmless returns the value with which a setting runs no program of the repository. It returns false for
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
