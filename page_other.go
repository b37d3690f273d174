//go:build !linux || !(dev || production)

package main

// holdPage does nothing: what the page's silence tells has to do.
func holdPage(func() (again bool)) {}
