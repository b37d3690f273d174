//go:build production

package harden

// released says that this is a build for users.
const released = true
