//go:build !production

package harden

// Released reports whether this is a release build.
const Released = false
