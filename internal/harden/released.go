//go:build production

package harden

// Released says that this is a build for users.
const Released = true
