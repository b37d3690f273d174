package workspace

import "testing"

// TestName_WindowsNonFilesRefused checks that names that Windows doesn't treat as files are rejected. The rules are
// fixed, so they are tested on all systems.
func TestName_WindowsNonFilesRefused(t *testing.T) {
	for _, path := range []string{
		`C:\p\CON`, `C:\p\nul`, `C:\p\aux.txt`, `C:\p\COM1.txt`, `C:\p\com0`, `C:\p\LPT9.tar.gz`, `C:\p\COM¹`, `C:\p\lpt³.log`,
		`C:\p\CONIN$`, `C:\p\conout$`, `C:\p\NUL .txt`, `C:\PRN\a.txt`, `C:/p/CON`, `C:/p/aux/x`, `C:\p\CLOCK$`,
		`C:\p\a.txt:stream`, `C:\p\a.txt::$DATA`, `C:\p\dir:x\a.txt`, `C:\p:x`,
		`C:\p\a.txt.`, `C:\p\a.txt `, `C:\p\dir.\a.txt`, `C:\p\dir \a.txt`, `C:\p\...\a.txt`, `C:\p\. .`,
		`C:\p\a?.txt`, `C:\p\*`, `C:\p\a<b`, `C:\p\a|b`, "C:\\p\\a\nb", `C:\p\"a"`,
		`\\?\C:\p\a.txt`, `\\.\C:\p\a.txt`, `\\.\PhysicalDrive0`, `\??\C:\p`, `//?/C:/p/a.txt`, `\\.\pipe\x`, `\\?\UNC\server\share\a`,
		"", "C:\\p\\a\x00b",
	} {
		if checkName(path, true) == nil {
			t.Errorf("%q is taken for a file", path)
		}
	}
	for _, path := range []string{
		`C:\p\a.txt`, `C:/p/a.txt`, `C:\p\..\a.txt`, `C:\p\.\a.txt`, `C:\p\.gitignore`, `C:\p\console.log`, `C:\p\COM10`, `C:\p\nullable.go`,
		`C:\p\com.txt`, `C:\p\PROGRA~1\a`, `\\server\share\a.txt`, `C:\p\ a.txt`, `C:\p\a b.txt`, `C:\p\héllo 👋.txt`, `C:\p\auxiliary\x`, `C:\`,
	} {
		if err := checkName(path, true); err != nil {
			t.Errorf("%q is refused: %v", path, err)
		}
	}
}

func TestName_OtherSystemsRefuseNULOnly(t *testing.T) {
	for _, path := range []string{"/p/CON", "/p/a:b", "/p/a. ", "/p/a?*", "/p/a\nb", `/p/\\?\`} {
		if err := checkName(path, false); err != nil {
			t.Errorf("%q is refused: %v", path, err)
		}
	}
	for _, path := range []string{"", "/p/a\x00b"} {
		if checkName(path, false) == nil {
			t.Errorf("%q is taken for a file", path)
		}
	}
}
