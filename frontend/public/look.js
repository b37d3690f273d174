// If the quick prompt runs in a separate process, that process serves a script with the
// appearance and language settings under this name (quick.go). Otherwise the page uses
// the settings that the window stored in localStorage.
