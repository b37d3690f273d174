package acp

import (
	"regexp"
	"strings"
)

// secretArg matches the names of command-line arguments whose values are secret.
var secretArg = regexp.MustCompile(`(?i)` + SecretName + `$`)

// CommandLine returns a program and its arguments as one line. The values of arguments that secretArg matches are
// redacted.
func CommandLine(args []string) string {
	shown := make([]string, len(args))
	secret := false
	for i, arg := range args {
		name, _, assigned := strings.Cut(arg, "=")
		switch {
		case secret:
			arg, secret = Hidden, false
		case assigned && secretArg.MatchString(name):
			arg = name + "=" + Hidden
		case !assigned && strings.HasPrefix(arg, "-") && secretArg.MatchString(arg):
			secret = true
		}
		shown[i] = arg
	}
	return strings.Join(shown, " ")
}
