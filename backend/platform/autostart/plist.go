package autostart

import (
	"encoding/xml"
	"strings"
)

// plist returns a launch agent that starts command at login and doesn't restart it.
func plist(command []string) string {
	var args strings.Builder
	for _, arg := range command {
		args.WriteString("\t\t<string>")
		_ = xml.EscapeText(&args, []byte(arg)) // a Builder never fails
		args.WriteString("</string>\n")
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + ID + `</string>
	<key>ProgramArguments</key>
	<array>
` + args.String() + `	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>ProcessType</key>
	<string>Interactive</string>
	<key>LimitLoadToSessionType</key>
	<string>Aqua</string>
</dict>
</plist>
`
}

// started returns the program that a launch agent starts, or "" if it starts none.
func started(plist string) string {
	var doc struct {
		Dict struct {
			Items []struct {
				XMLName xml.Name
				Text    string   `xml:",chardata"`
				Strings []string `xml:"string"`
			} `xml:",any"`
		} `xml:"dict"`
	}
	if xml.Unmarshal([]byte(plist), &doc) != nil {
		return ""
	}
	for i, item := range doc.Dict.Items[:max(0, len(doc.Dict.Items)-1)] {
		if next := doc.Dict.Items[i+1]; item.Text == "ProgramArguments" && len(next.Strings) > 0 {
			return next.Strings[0]
		}
	}
	return ""
}

// switchedOff reports whether launchctl's output lists the agent as turned off in
// System Settings.
func switchedOff(printed string) bool {
	for line := range strings.Lines(printed) {
		name, state, _ := strings.Cut(strings.TrimSpace(line), "=>")
		if strings.Trim(name, `" `) == ID {
			state = strings.TrimSpace(state)
			return state == "disabled" || state == "true"
		}
	}
	return false
}
