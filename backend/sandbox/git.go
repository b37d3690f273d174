package sandbox

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// gitFiles holds the names of files in a git directory for which the mount point must be a file, not a folder. Each
// value is the initial content of that mount point. Git treats a file with that content as if it didn't exist.
var gitFiles = map[string]string{"config.worktree": "", "commondir": "."}

// Commands that replace the programs named in a repository's configuration.
const (
	plainDiff  = `sh -c 'diff -u -- "$2" "$5" || :' diff`
	plainMerge = "git merge-file %A %O %B"
)

// GitConfig returns git settings that keep git from running programs named in the repository's configuration. The
// result contains alternating keys and values, which are passed to git in the environment. The parameter path is the
// user's PATH. Aliases still work, because git runs them only when they are called by name.
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
		if key, value := harmless(fields[i+1]); key != "" {
			pairs = append(pairs, key, value)
		}
	}
	return pairs, nil
}

// WithoutGitPrograms returns env with the settings from GitConfig added.
func WithoutGitPrograms(ctx context.Context, folder, path string, env []string) ([]string, error) {
	settings, err := GitConfig(ctx, folder, path)
	if err != nil {
		return nil, err
	}
	return gitConfig(withoutProtocols(env, settings), settings...), nil
}

// allowedProtocols is the environment variable that lists the protocols that git may use. It takes precedence over
// git's settings.
const allowedProtocols = "GIT_ALLOW_PROTOCOL"

// withoutProtocols returns env with GIT_ALLOW_PROTOCOL (allowedProtocols) reduced to the protocols that the given git
// settings don't forbid. If env doesn't contain that variable, it returns env unchanged.
func withoutProtocols(env, settings []string) []string {
	list := get(env, allowedProtocols)
	if list == "" {
		return env
	}
	allowed := slices.DeleteFunc(strings.Split(list, ":"), func(protocol string) bool {
		i := slices.Index(settings, "protocol."+protocol+".allow")
		return i >= 0 && settings[i+1] == "never"
	})
	return set(env, allowedProtocols+"="+strings.Join(allowed, ":"))
}

// harmless returns a git setting that makes another setting harmless: with it, git doesn't run the program named in the
// setting called name. key is "" if no setting is needed. Usually, the returned setting overrides the other one. Some
// settings can't be overridden, because git uses the first value that it finds. For these, harmless returns a setting
// that forbids the protocol for which git would run the program.
func harmless(name string) (key, value string) {
	section, rest, _ := strings.Cut(name, ".")
	dot := strings.LastIndexByte(rest, '.')
	subsection, variable := rest[:max(dot, 0)], strings.ToLower(rest[dot+1:])
	section = strings.ToLower(section)
	switch section + "." + variable {
	case "core.gitproxy":
		return "protocol.git.allow", "never"
	case "remote.uploadpack", "remote.receivepack":
		return "protocol.file.allow", "never"
	case "diff.external", "diff.command":
		return name, plainDiff
	case "merge.driver":
		return name, plainMerge
	case "diff.textconv", "lfs.clean", "lfs.smudge":
		return name, "cat"
	case "tar.command":
		if subsection == "tar.gz" || subsection == "tgz" {
			return name, "gzip -cn"
		}
		return name, "false"
	case "filter.clean", "filter.smudge", "filter.process", "credential.helper", "remote.vcs", "remote.proxy", "trailer.command", "trailer.cmd",
		"gpg.defaultkeycommand", "sendemail.cccmd", "sendemail.headercmd", "sendemail.tocmd", "svn.authorsprog":
		return name, ""
	case "filter.required":
		return name, "false"
	case "submodule.update":
		return name, "checkout"
	case "hook.command": // another command would make each commit fail
		return "hook." + subsection + ".enabled", "false"
	case "gpg.program":
		return name, cmp.Or(map[string]string{"ssh": "ssh-keygen", "x509": "gpgsm"}[subsection], "gpg")
	case "browser.cmd", "browser.path", "difftool.cmd", "difftool.path", "guitool.cmd", "imap.tunnel", "instaweb.browser", "instaweb.httpd", "lfs.path", "man.cmd", "man.path",
		"mergetool.cmd", "mergetool.path", "rebase.editor", "sendemail.sendmailcmd", "sendemail.smtpserver", "web.browser", "add.command":
		return name, "false"
	}
	if section == "pager" {
		return name, "false"
	}
	return "", ""
}
