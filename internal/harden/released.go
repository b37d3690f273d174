//go:build production

package harden

// Released reports whether this is a build for users.
const Released = true
