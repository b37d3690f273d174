package danger

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// launchers are programs that start a command, now or later, and leave it running.
	launchers = setOf("disown at batch daemonize start-stop-daemon systemd-run start-job sajb start-threadjob register-scheduledtask start-scheduledtask start-service")
	// launching maps programs to their subcommands that leave something running.
	launching = map[string]map[string]bool{
		"docker": setOf("start restart unpause"), "podman": setOf("start restart unpause"),
		"tmux": setOf("new new-session neww new-window split-window splitw respawn-pane respawnp respawn-window respawnw send-keys send run-shell run"),
		"pm2":  setOf("start restart reload"), "forever": setOf("start restart"), "supervisorctl": setOf("start restart"),
		"systemctl": setOf("start restart reload-or-restart"), "service": setOf("start restart"), "rc-service": setOf("start restart"),
		"launchctl": setOf("start load bootstrap submit kickstart"), "brew": setOf("services"), "watchman": setOf("trigger trigger-del"),
		"schtasks": setOf("/create /run"), "sc": setOf("start"), "net": setOf("start"),
	}
	// attached lists the options that make a launcher wait for the command to end.
	attached = setOf("-w --wait --scope --pipe --pty /wait")
	// windowsLaunch matches a command of PowerShell or cmd that leaves another command running. A pattern is used
	// because this package can't parse the blocks of PowerShell.
	windowsLaunch = regexp.MustCompile(`(?im)(?:^|[;|&{(=]|\bthen\b)\s*(?:Start-Job|sajb|Start-ThreadJob|Register-ScheduledTask|Start-ScheduledTask|(?:Start-Process|saps)\b[^;|\n]*|cmd(?:\.exe)?\s+/c\s+start\s(?:\s*/[a-z]+\b)*)`)
	// windowsWait matches the option that makes a command found by windowsLaunch wait for the program to end.
	windowsWait = regexp.MustCompile(`(?i)\s[-/]Wait\b`)
)

// launches reports whether a call may leave a command running after it has ended.
func launches(words []word) bool {
	name, args := nameOf(words), []word(nil)
	if len(words) > 0 {
		args = words[1:]
	}
	opts, rest := options(args)
	isAny := func(set map[string]bool, all []word) bool {
		return slices.ContainsFunc(all, func(one word) bool { return set[strings.ToLower(one.text)] })
	}
	waits := isAny(attached, args)
	switch name {
	case "setsid": // it starts a new process if it leads a process group, as in an interactive shell
		return !waits
	case "start": // of cmd; in PowerShell, it is an alias of Start-Process
		return len(args) > 0 && !waits && !isAny(setOf("-wait"), args)
	case "start-process", "saps":
		return !isAny(setOf("-wait"), args)
	case "screen":
		return has(opts, "-d", "-D", "-X")
	case "docker", "podman", "docker-compose", "podman-compose", "nerdctl":
		if isAny(setOf("run up exec create"), rest[:min(len(rest), 3)]) && has(opts, "-d", "--detach") {
			return true
		}
	case "crontab":
		return !has(opts, "-l", "-r")
	}
	return launchers[name] && !waits || launching[name] != nil && isAny(launching[name], rest[:min(len(rest), 3)])
}

// launch records that a call may leave a command running, or that it waits for the shell's background commands.
func (w *walker) launch(words []word) {
	if w.effects == nil {
		return
	}
	if nameOf(words) == "wait" { // the shell waits for its own jobs
		w.jobs = false
		return
	}
	w.effects.Background = w.effects.Background || launches(words)
}

// launchesOnWindows reports whether a command of PowerShell or cmd may leave another command running.
func launchesOnWindows(command string) bool {
	return slices.ContainsFunc(windowsLaunch.FindAllString(command, maxMarks), func(call string) bool { return !windowsWait.MatchString(call) })
}
