package commandline

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestTarget_FolderOrVoxPilotLink(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "a b")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	id := backend.NewID()
	inFolder := &backend.Navigation{For: backend.NavigateNewChat, Folder: folder}
	for target, want := range map[string]*backend.Navigation{
		"":                      nil,
		folder:                  inFolder,
		"a b":                   inFolder,
		"voxpilot://open":       nil,
		"voxpilot://open/":      nil,
		"VoxPilot://open":       nil,
		"voxpilot://chat/" + id: {For: backend.NavigateChat, ChatID: id},
		"voxpilot://new":        {For: backend.NavigateNewChat},
		"voxpilot://new?folder=" + strings.ReplaceAll(folder, " ", "%20"): inFolder,
		"voxpilot://new/?folder=" + strings.ReplaceAll(folder, " ", "+"):  inFolder,
	} {
		got, err := navigationOf(target, dir)
		if err != nil || (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%q asks for %+v, %v", target, got, err)
		}
	}
	if runtime.GOOS != "windows" {
		if got, err := navigationOf("file://"+strings.ReplaceAll(folder, " ", "%20"), dir); err != nil || *got != *inFolder {
			t.Errorf("a file address asks for %+v, %v", got, err)
		}
	}
	for _, target := range []string{
		"none", file, "a b\n", "a\x00b", strings.Repeat("a", 9000),
		"voxpilot:", "voxpilot:open", "voxpilot://", "voxpilot:///", "voxpilot://send?text=hello", "voxpilot://open?x=1", "voxpilot://open/x",
		"voxpilot://chat", "voxpilot://chat/", "voxpilot://chat/../../etc/passwd", "voxpilot://chat/" + id + "/x", "voxpilot://chat/" + id + "?send=1",
		"voxpilot://new?folder=a%20b", "voxpilot://new?folder=" + dir + "&text=hello", "voxpilot://new?text=hello", "voxpilot://new?folder=" + file,
		"voxpilot://new?folder=" + dir + "&folder=" + dir, "voxpilot://new?folder=" + dir + "/none", "voxpilot://new?folder=//server/share",
		`voxpilot://new?folder=\\server\share`, `voxpilot://new?folder=\??\UNC\server\share`, "voxpilot://new/x", "voxpilot://user@open", "voxpilot://open:1", "voxpilot://open#x", "voxpilot://new?folder=%zz",
		"voxpilot://new?folder=" + dir + "%00",
	} {
		if got, err := navigationOf(target, dir); err == nil {
			t.Errorf("%q asks for %+v", target, got)
		}
	}
}
