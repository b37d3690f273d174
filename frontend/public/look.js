// Where the quick prompt runs in its own process, that answers this name with the
// look and the language of the settings (quick.go). Elsewhere the page goes by
// what the window has left in localStorage.
