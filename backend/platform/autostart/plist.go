package autostart

import (
	"encoding/xml"
	"strings"
)

// plist is a launch agent that starts command when the user logs in, and not
// again when that ends.
func plist(command []string) string {
	var args strings.Builder
	for _, arg := range command {
		args.WriteString("\t\t<string>")
		_ = xml.EscapeText(&args, []byte(arg)) // a Builder takes everything
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

// started is the program that a launch agent starts; "" where it has none.
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

// switchedOff reads what launchctl prints of the agents that the user switched
// off in the System Settings.
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
