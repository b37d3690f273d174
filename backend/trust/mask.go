package trust

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Mask is what an agent must not see of a folder to run none of its untrusted code.
type Mask struct {
	// Files are the absolute paths of files with untrusted code, except configurations of git.
	Files []string
	// settings are the untrusted settings of git, by their names as git writes them.
	settings []string
	// identities are those of Files at the time of the check.
	identities map[string]string
}

// IsEmpty reports whether the user trusts everything in the folder.
func (k Mask) IsEmpty() bool { return len(k.Files) == 0 && len(k.settings) == 0 }

// Covers reports whether an agent that started with the mask k sees nothing that now must be masked: a
// replaced file is visible again.
func (k Mask) Covers(now Mask) bool {
	for file, identity := range now.identities {
		if k.identities[file] != identity {
			return false
		}
	}
	return !slices.ContainsFunc(now.settings, func(name string) bool { return !slices.Contains(k.settings, name) })
}

// Mask returns the mask for an agent that starts in a folder whose code the user doesn't trust. It fails
// if the folder can't be read completely.
func (m *Manager) Mask(ctx context.Context, by Starter) (Mask, error) {
	l, err := m.inspect(ctx, by)
	if err != nil {
		return Mask{}, err
	}
	if l.findings.Incomplete {
		return Mask{}, errIncomplete
	}
	k := Mask{identities: map[string]string{}}
	for _, e := range l.newEntries {
		if e.Location == GitConfigID && e.Key != "" {
			if !slices.Contains(k.settings, e.Key) {
				k.settings = append(k.settings, e.Key)
			}
			continue
		}
		path := l.findings.path(e.File)
		k.identities[path] = identity(path)
	}
	k.Files = slices.Sorted(maps.Keys(k.identities))
	slices.Sort(k.settings)
	return k, nil
}

// path returns the path of a file of the inventory.
func (f Findings) path(file string) string {
	if in, ok := strings.CutPrefix(file, ".git/"); ok && f.Common != "" && f.Common != f.Root {
		return filepath.Join(f.Common, filepath.FromSlash(in))
	}
	return filepath.Join(f.Root, filepath.FromSlash(file))
}

// identity returns a text that changes if another file replaces the one at path.
func identity(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return err.Error()
	}
	return fileID(info)
}

// gitDefaults are settings of git with which it runs nothing of a repository.
var gitDefaults = map[string]string{"core.fsmonitor": "false", "core.hooksPath": os.DevNull}

// harmless are values with which a setting runs nothing, by the last part of its name. The value of other
// settings is "".
var harmless = map[string]string{
	"fsmonitor": "false", "hookspath": os.DevNull, "sshcommand": "ssh", "pager": "cat", "editor": "true", "update": "none", "allow": "user",
	"uploadpack": "git-upload-pack", "receivepack": "git-receive-pack", "required": "false", "command": "true", "program": "false",
}

// gitHelpers are the protocols that need no program chosen by a repository.
const gitHelpers = "file:git:http:https:ssh"

// GitEnv returns env with variables that turn off what the repository's configuration of git runs, for the
// agent and its commands.
func (k Mask) GitEnv(env []string) []string {
	settings := maps.Clone(gitDefaults)
	for _, name := range k.settings {
		parts := strings.Split(name, ".")
		variable := strings.ToLower(parts[len(parts)-1])
		switch section := strings.ToLower(parts[0]); {
		case section == "remote" && variable == "url", section == "remote" && variable == "pushurl", section == "url", section == "include", section == "includeif":
			continue // these can't be replaced: gitHelpers covers the first ones, and the settings of an included file are listed on their own
		case section == "alias":
			settings[name] = "version"
		case section == "pager":
			settings[name] = "cat"
		case section == "filter":
			settings[name] = ""
			settings[strings.Join(parts[:len(parts)-1], ".")+".required"] = "false"
		default:
			settings[name] = harmless[variable]
		}
	}
	count := 0
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, value, _ := strings.Cut(v, "=")
		if name == "GIT_CONFIG_COUNT" {
			count, _ = strconv.Atoi(value)
		}
		return name == "GIT_CONFIG_COUNT" || name == "GIT_ALLOW_PROTOCOL"
	})
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", count, name), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count, settings[name]))
		count++
	}
	return append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(count), "GIT_ALLOW_PROTOCOL="+gitHelpers)
}
