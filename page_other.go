//go:build !linux || !(dev || production)

package main

// revivePage does nothing: no process is known to have died.
func revivePage() {}

// holdPage does nothing: what the page's silence tells has to do.
func holdPage(func() (again bool)) {}
