package sandbox

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// gitFiles lists git's files whose mount points must be files instead of folders, each with its initial
// content, which git treats like a missing file.
var gitFiles = map[string]string{"config.worktree": "", "commondir": "."}

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
