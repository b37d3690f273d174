// Package sandbox runs commands and whole agents with restricted permissions: they can change only certain folders and
// can't read secrets. Commands can also be limited to certain sites.
//
// On Linux, it uses bubblewrap: Command prepares a folder for the run and returns a shell line, which the agent runs
// instead of its command and which starts bubblewrap. VoxPilot isn't involved in the start. The first process in the
// sandbox executes the code of package first. When the run ends, a FIFO that VoxPilot reads is closed.
//
// A path that commands must not create, such as a missing .claude, needs a mount point on the disk, usually an empty
// directory, which exists while a run uses it. The mount point is recorded in the run's folder before it is created, so
// that it is removed even if VoxPilot is killed.
package sandbox

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Config configures a Sandbox.
type Config struct {
	// Dir is the directory for runs and temporary folders. Only one Sandbox may use it.
	Dir string
	// Program is the path of a program that imports package first.
	Program string
	Path    string // the user's PATH, to find bubblewrap
	Log     *slog.Logger
}

// Policy holds a command's permissions. All paths are absolute.
type Policy struct {
	Folder string // the chat's folder: writable
	// Temp means that /tmp is writable. All commands in the same folder share this /tmp, and see no other.
	Temp      bool
	Write     []string // further writable files and folders
	Hidden    []string // files and folders that can't be read (see Hidden)
	Protected []string // paths in writable folders that can't be changed or created
	Caches    string   // folder for caches of package managers, or "" for none
	Env       []string // the agent's environment, "NAME=value"
	// IsSecret reports whether a value is secret. Variables with secret values are removed from the environment.
	// IsSecret may be nil.
	IsSecret func(value string) bool
	Hint     string // a sentence that tells the model what to do if a command fails
	// KeepSecretNames means that a variable stays in the environment even if its name suggests a secret or its value
	// contains a URL with a user name or password.
	KeepSecretNames bool
	Network         backend.SandboxNetwork
	Proxy           string // path of the proxy's Unix socket, for NetworkSites and for Ports
	Ports           []int  // ports on this computer that may be reached; with NetworkOn, all of them may
	// In is the agent that runs Run.Shell in its own sandbox, or nil if the agent isn't sandboxed.
	In *Agent
}

// Run is a prepared command.
type Run struct {
	ID    string
	Shell string // the shell line that the agent must run instead of the command
}

// AgentPolicy holds the permissions of a whole agent, including its own tools. The network isn't restricted, because
// agents need to reach their models.
type AgentPolicy struct {
	Folder    string   // the chat's folder: writable
	Home      []string // the agent's own files and folders: writable, even inside hidden folders
	Write     []string // further writable files and folders
	Hidden    []string // files and folders that can't be read
	Protected []string // paths in writable folders that can't be changed or created
	Read      []string // files, folders and sockets that can be read, even inside hidden folders
	// Mask lists files and folders in the repository that appear empty to the agent. Commands in their own sandboxes
	// see the real content.
	Mask []string
	// KeepSizes means that regular files in Mask keep their sizes and times, so that git in the agent's sandbox
	// considers them unchanged. Their content is replaced by blank lines or, in large files, by NULs.
	KeepSizes bool
	Caches    string // as in Policy
	// Env is the agent's environment, including its token. Only variables that refer to programs or files outside the
	// sandbox are removed from it.
	Env []string
	// HideMemory means that the other processes in the agent's sandbox, such as hooks, can't read the memory and
	// environment of the agent's process. That process then writes no core dumps and can't be debugged.
	HideMemory bool
	// NoGitPrograms means that git can't run programs named in the repository's configuration (see GitConfig).
	NoGitPrograms bool
}

// checkPaths returns an error if a path in the lists isn't absolute or contains a NUL.
func checkPaths(lists ...[]string) error {
	for _, path := range slices.Concat(lists...) {
		if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
			return fmt.Errorf("not an absolute path: %q", path)
		}
	}
	return nil
}

// checkFolder returns the chat's folder with symbolic links resolved. It returns an error if the folder doesn't exist,
// is hidden or is inside a hidden folder. The function resolve must return the same paths as real.
func checkFolder(folder string, hidden []string, resolve func(path string) string) (string, error) {
	dir, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", err
	}
	for _, place := range hidden {
		if below(resolve(place), dir) {
			return "", backend.Invalid("Commands can't run in the sandbox because it hides %s, which contains the chat's folder.", place)
		}
	}
	return dir, nil
}

// real returns path with symbolic links resolved. If the last elements of path don't exist, they are kept unchanged.
func real(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(real(dir), filepath.Base(path))
}

// below reports whether path is dir or a path in it.
func below(dir, path string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}

// note returns two notes for the model: line is meant for a command that fails, and blocked for a command that couldn't
// reach some sites. "%s" in blocked stands for these sites.
func note(p Policy) (line, blocked string) {
	places := append([]string{p.Folder}, p.Write...)
	if p.Temp {
		places = append(places, "/tmp")
	}
	network := "and has no network access"
	switch p.Network {
	case backend.NetworkOn:
		network = "and has full network access"
	case backend.NetworkSites:
		network = "and can reach only listed sites"
	case backend.NetworkOff:
	}
	return fmt.Sprintf("[VoxPilot] This command ran in a sandbox. It can write only below %s, can't read the user's secrets, %s. "+
			"If the sandbox caused the failure, tell the user what is blocked; running the same command again doesn't help. %s", strings.Join(places, ", "), network, p.Hint),
		"Blocked sites: %s."
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// quote quotes a word for bash.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// program returns the path of the program with the given name, or "" if there is none. It searches path, a value of
// PATH, but skips relative folders in it, and programs inside the given folder.
func program(path, folder, name string) string {
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 &&
			(folder == "" || !below(folder, real(file))) {
			return file
		}
	}
	return ""
}

// contextErr returns the reason why ctx has ended, or nil.
func contextErr(ctx context.Context) error { return context.Cause(ctx) }
