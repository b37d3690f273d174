//go:build !windows

package review

// nativeCRLF reports whether lines of text files end with CR LF on this system.
const nativeCRLF = false
