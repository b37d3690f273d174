package guard

import (
	"os"
	"strconv"
	"strings"
)

// parentArgs returns the command line of the process that started the hook, or nil if it can't be read.
func parentArgs() []string {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(os.Getppid()) + "/cmdline")
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
}
