//go:build production

package main

// released says that this is a build for users.
const released = true
