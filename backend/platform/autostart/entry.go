package autostart

import "strings"

// entry returns a desktop entry that starts command, a program with its arguments.
func entry(command []string) string {
	quoted := make([]string, len(command))
	for i, arg := range command {
		quoted[i] = quote(arg)
	}
	return `[Desktop Entry]
Type=Application
Version=1.0
Name=VoxPilot
Comment=Work with GitHub Copilot on code
Exec=` + strings.Join(quoted, " ") + `
Icon=` + ID + `
Terminal=false
StartupNotify=false
X-GNOME-Autostart-enabled=true
`
}

// quote returns an argument for the Exec key, with percent signs doubled. If the argument is empty or contains reserved
// characters, quote puts it in quotes. It then escapes backslashes once more, because every string value in a desktop
// entry is escaped, too.
func quote(arg string) string {
	arg = strings.ReplaceAll(arg, "%", "%%")
	if arg != "" && !strings.ContainsAny(arg, " \t\n\"'\\><~|&;$*?#()`") {
		return arg
	}
	arg = strings.NewReplacer(`"`, `\"`, "`", "\\`", `$`, `\$`, `\`, `\\`).Replace(arg)
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`).Replace(`"` + arg + `"`)
}

// isOn reports whether there is an entry and it is turned on. The user can turn it off in the desktop's settings.
func isOn(entry string) bool {
	return entry != "" && value(entry, "Hidden") != "true" && value(entry, "X-GNOME-Autostart-enabled") != "false"
}

// program returns the program that an entry starts.
func program(entry string) string {
	exec := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\s`, " ", `\r`, "\r").Replace(value(entry, "Exec"))
	rest, isQuoted := strings.CutPrefix(exec, `"`)
	if !isQuoted {
		first, _, _ := strings.Cut(exec, " ")
		return strings.ReplaceAll(first, "%%", "%")
	}
	var b strings.Builder
	for i := 0; i < len(rest) && rest[i] != '"'; i++ {
		if rest[i] == '\\' && i+1 < len(rest) {
			i++
		}
		b.WriteByte(rest[i])
	}
	return strings.ReplaceAll(b.String(), "%%", "%")
}

// value returns the value of a key in the entry's main group, or "" if the key is missing.
func value(entry, key string) string {
	group := ""
	for line := range strings.Lines(entry) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			group = line
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		if group == "[Desktop Entry]" && strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
