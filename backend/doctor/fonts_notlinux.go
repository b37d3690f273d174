//go:build !linux

package doctor

import "context"

// ProbeFonts does nothing: Windows and macOS include Chinese fonts.
func ProbeFonts(context.Context) Fonts { return Fonts{} }
