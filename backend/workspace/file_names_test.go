package workspace

import "testing"

func TestImageName_ExtensionMatchesType(t *testing.T) {
	for name, want := range map[string]string{"a.png": "a.png", "a.PNG": "a.PNG", "a": "a.png", `c:\x\b.gif`: "b.png"} {
		if got := ImageName(name, "image/png"); got != want {
			t.Errorf("imageName(%q): got %q, want %q", name, got, want)
		}
	}
	if got := ImageName("a.jpg", "image/jpeg"); got != "a.jpg" {
		t.Errorf("got %q, want a.jpg", got)
	}
}

func TestFileName_IsValidOnAllSystems(t *testing.T) {
	for title, want := range map[string]string{"a/b: c?": "a-b- c-", "..": "chat", "": "chat", "nul": "chat nul", "Con.txt": "chat Con.txt", "console": "console"} {
		if got := FileName("", title); got != want {
			t.Errorf("FileName(%q): got %q, want %q", title, got, want)
		}
	}
}
