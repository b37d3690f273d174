package autostart

import (
	"strings"
	"testing"
)

func TestDesktopEntry_AnyProgramPath(t *testing.T) {
	for path, exec := range map[string]string{
		"/usr/bin/voxpilot":        `/usr/bin/voxpilot --hidden`,
		"/opt/My Apps/voxpilot":    `"/opt/My Apps/voxpilot" --hidden`,
		"/opt/100%/voxpilot":       `/opt/100%%/voxpilot --hidden`,
		`/opt/a"b/voxpilot`:        `"/opt/a\\"b/voxpilot" --hidden`,
		`/opt/a\b/voxpilot`:        `"/opt/a\\\\b/voxpilot" --hidden`,
		"/opt/$HOME`x`/voxpilot":   "\"/opt/\\\\$HOME\\\\`x\\\\`/voxpilot\" --hidden",
		"/opt/ü 日本/voxpilot":       `"/opt/ü 日本/voxpilot" --hidden`,
		"/opt/it's (new)/voxpilot": `"/opt/it's (new)/voxpilot" --hidden`,
	} {
		made := entry([]string{path, "--hidden"})
		if got := value(made, "Exec"); got != exec {
			t.Errorf("%s is started by %s, not by %s", path, got, exec)
		}
		if got := program(made); got != path {
			t.Errorf("%s is read as %s", path, got)
		}
		if !isOn(made) {
			t.Errorf("an entry that was just made is off: %s", made)
		}
	}
}

func TestDesktopEntry_DisabledByDesktop(t *testing.T) {
	on := entry([]string{"/usr/bin/voxpilot", "--hidden"})
	for name, off := range map[string]string{
		"none":            "",
		"hidden":          on + "Hidden=true\n",
		"switched off":    strings.Replace(on, "enabled=true", "enabled=false", 1),
		"spaces are fine": on + "Hidden = true \n",
	} {
		if isOn(off) {
			t.Errorf("%s is on: %s", name, off)
		}
	}
	for name, on := range map[string]string{
		"another group's":   on + "[Desktop Action x]\nHidden=true\n",
		"hidden is not so":  on + "Hidden=false\n",
		"nothing but these": "[Desktop Entry]\nExec=voxpilot\n",
	} {
		if !isOn(on) {
			t.Errorf("%s is off: %s", name, on)
		}
	}
}

func TestLaunchAgent_AnyProgramPath(t *testing.T) {
	for _, path := range []string{"/Applications/VoxPilot.app/Contents/MacOS/VoxPilot", "/Users/a & b/<x>/VoxPilot"} {
		if got := started(plist([]string{path, "--hidden"})); got != path {
			t.Errorf("%s is read as %q", path, got)
		}
	}
	if got := started("no plist"); got != "" {
		t.Errorf("what is no plist starts %q", got)
	}
}

func TestLaunchAgent_DisabledByUser(t *testing.T) {
	for printed, off := range map[string]bool{
		"": false,
		"disabled services = {\n\t\"" + ID + "\" => disabled\n}":        true,
		"disabled services = {\n\t\"" + ID + "\" => true\n}":            true,
		"disabled services = {\n\t\"" + ID + "\" => enabled\n}":         false,
		"disabled services = {\n\t\"com.example.other\" => disabled\n}": false,
	} {
		if switchedOff(printed) != off {
			t.Errorf("%q reads as %v", printed, !off)
		}
	}
}

func TestStartupApproved_OddByteMeansDisabled(t *testing.T) {
	for _, test := range []struct {
		state []byte
		on    bool
	}{{nil, true}, {[]byte{2, 0, 0}, true}, {[]byte{6}, true}, {[]byte{3, 0, 0, 0, 1}, false}, {[]byte{7}, false}} {
		if isApproved(test.state) != test.on {
			t.Errorf("%v reads as %v", test.state, !test.on)
		}
	}
}
