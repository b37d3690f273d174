// Package sandbox attacks the sandbox for commands: its tests run hostile scripts in it, on the real
// bubblewrap, and compare everything around it before and after. The package has only tests.
package sandbox
