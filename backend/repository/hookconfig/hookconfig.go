// Package hookconfig reads the hooks that are defined in git's configuration: hook.<name>.command and hook.<name>.event.
package hookconfig

import (
	"slices"
	"strconv"
	"strings"
)

// Keys is a regular expression for git config --get-regexp. It matches the keys that Parse reads.
const Keys = `^hook\..+\.(command|event|enabled|parallel)$`

// The first versions of git that run the hooks in its configuration, and that support hook.<event>.enabled.
var (
	configuredSince = [2]int{2, 54}
	switchSince     = [2]int{2, 55}
)

// Hooks holds the hooks in git's configuration.
type Hooks struct {
	ByEvent map[string][]string // names of the enabled hooks by event, in the order in which git runs them
	Off     map[string]bool     // events for which git runs no hook at all (hook.<event>.enabled)
}

// Parse reads hooks from the output of git config --null --get-regexp. The parameter version is the output of git
// version. The result is empty if this version doesn't run the hooks in its configuration.
func Parse(config, version string) Hooks {
	v := versionIn(version)
	if slices.Compare(v[:], configuredSince[:]) < 0 {
		return Hooks{}
	}
	hooks := hooksIn(config)
	if slices.Compare(v[:], switchSince[:]) < 0 {
		hooks.Off = nil
	}
	return hooks
}

// versionIn returns the first two numbers in the output of git version, such as "git version 2.54.0.windows.1".
func versionIn(line string) (version [2]int) {
	numbers := strings.SplitN(strings.TrimPrefix(line, "git version "), ".", 3)
	for i := range min(len(numbers), len(version)) {
		version[i], _ = strconv.Atoi(numbers[i])
	}
	return version
}

// hooksIn reads hooks from the output of git config --null --get-regexp, with the rules of git's own hook.c: an empty
// event removes the earlier events of a hook, an event that is repeated moves the hook to the end, and the last valid
// value of enabled applies.
func hooksIn(config string) Hooks {
	res := Hooks{ByEvent: map[string][]string{}, Off: map[string]bool{}}
	known, commands, disabled := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for setting := range strings.SplitSeq(config, "\x00") {
		key, value, hasValue := strings.Cut(setting, "\n")
		key = strings.TrimPrefix(key, "hook.")
		dot := strings.LastIndexByte(key, '.')
		if dot < 0 || !hasValue {
			continue
		}
		name := key[:dot]
		remove := func(event string) {
			res.ByEvent[event] = slices.DeleteFunc(res.ByEvent[event], func(each string) bool { return each == name })
		}
		switch key[dot+1:] {
		case "command":
			known[name], commands[name] = true, true
		case "parallel":
			known[name] = true
		case "event":
			if value == "" {
				for event := range res.ByEvent {
					remove(event)
				}
				continue
			}
			known[name] = true
			remove(value)
			res.ByEvent[value] = append(res.ByEvent[value], name)
		case "enabled":
			switch strings.ToLower(value) {
			case "false", "no", "off", "0", "":
				disabled[name] = true
			case "true", "yes", "on", "1":
				delete(disabled, name)
			}
		}
	}
	for event, names := range res.ByEvent {
		// Git fails on a hook without a command.
		res.ByEvent[event] = slices.DeleteFunc(names, func(name string) bool { return disabled[name] || !commands[name] })
	}
	for name := range disabled {
		res.Off[name] = !known[name]
	}
	return res
}
