package review

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// generatedNames lists names of files that tools write.
var generatedNames = []string{
	"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock", "go.sum", "go.work.sum", "cargo.lock",
	"composer.lock", "gemfile.lock", "pipfile.lock", "poetry.lock", "uv.lock", "pdm.lock", "flake.lock", "mix.lock", "pubspec.lock", "podfile.lock",
	"package.resolved", "packages.lock.json", "gradle.lockfile", ".terraform.lock.hcl",
}

// generatedEndings lists endings of the names of files that tools write.
var generatedEndings = []string{
	".min.js", ".min.css", ".min.mjs", ".js.map", ".css.map", ".mjs.map", ".pb.go", ".pb.cc", ".pb.h", "_pb2.py", "_pb2.pyi", "_pb2_grpc.py",
	"_gen.go", ".gen.go", ".gen.ts", ".g.dart", ".g.cs", ".freezed.dart", ".designer.cs", ".snap",
}

// generatedFolders lists folders with files that tools write.
var generatedFolders = []string{"__generated__", "__snapshots__"}

// maxHead is the number of bytes at the start of a file that are searched for a remark that it is generated.
const maxHead = 4096

// isGenerated reports whether a tool wrote a file.
func isGenerated(file string, content []byte, attributes map[string]string) bool {
	switch attributes["linguist-generated"] {
	case "set", "true":
		return true
	case "unset", "false":
		return false
	}
	name := strings.ToLower(path.Base(file))
	if slices.Contains(generatedNames, name) {
		return true
	}
	for _, ending := range generatedEndings {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	if strings.HasSuffix(stem, "_generated") || strings.HasSuffix(stem, ".generated") {
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if slices.Contains(generatedFolders, dir) {
			return true
		}
	}
	return saysGenerated(content[:min(len(content), maxHead)])
}

// maxMark is the maximum number of bytes before the remark in its line, such as those that start a comment.
const maxMark = 12

// saysGenerated reports whether the start of a file has the remark that tools write there.
func saysGenerated(head []byte) bool {
	for _, remark := range [][]byte{[]byte("Code generated "), []byte("@generated")} {
		at := bytes.Index(head, remark)
		if at < 0 || at-bytes.LastIndexByte(head[:at], '\n')-1 > maxMark {
			continue
		}
		line, _, _ := bytes.Cut(head[at:], []byte("\n"))
		if remark[0] == '@' || bytes.Contains(line, []byte("DO NOT EDIT")) {
			return true
		}
	}
	return false
}
