// Package sandbox attacks the sandbox in which agents' commands run: the tests run hostile scripts in that sandbox,
// with the real bubblewrap, and compare everything around it before and after. The package contains only tests.
package sandbox
