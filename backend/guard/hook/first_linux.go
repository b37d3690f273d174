package main

import _ "github.com/voxpilot/voxpilot/backend/sandbox/first" // runs before main
