// Package trust finds what a folder that somebody else wrote can run, or how it
// can make an agent ask less, before an agent starts there: hooks, servers,
// settings, plugins, custom agents and skills of agents, and the programs that a
// git configuration names. It reads files and runs nothing.
//
// The table of all places is in places.go. Inventory lists what is there, and
// Protected says of one path whether it is such a place.
package trust
