//go:build production

package harden

// Released is true in release builds.
const Released = true
