// Package hostile holds attacks for tests: attacks by untrusted folders, and by agents that have read the
// content of such folders. Each kind of attack has a table that states what must not happen.
package hostile

// Request is an entry of Requests or Clear: a permission request from an agent.
type Request struct {
	Name string
	Call string // fields of its tool call as JSON; $CWD is the folder
	// Options are the offered options as JSON. If it is "", the options are allow once and reject once.
	Options string
}

// Requests holds the permission requests that no rule or mode may decide, because their fields are unknown,
// contradictory or incomplete.
var Requests = []Request{
	// An edit with a command.
	{"edit with a command", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","command":"rm -rf /"}`, ""},
	{"edit with commands", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","commands":["rm -rf /"]}`, ""},
	{"edit with a list as command", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"command":["rm","-rf","/"]}`, ""},
	{"edit with a shell line beside its verb", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"command":"create; rm x"}`, ""},
	{"deletion with a command", `"kind":"delete","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","command":"id"}`, ""},
	{"move with a command", `"kind":"move","locations":[{"path":"a.txt"},{"path":"b.txt"}],"rawInput":{"command":"id"}`, ""},
	{"edit with arguments", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","args":["x"]}`, ""},
	{"edit with an environment", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","env":{"A":"b"}}`, ""},
	// Contradictory commands.
	{"another command in the list", `"kind":"execute","rawInput":{"commands":["rm -rf /"],"command":"git log"}`, ""},
	{"one more command in the list", `"kind":"execute","rawInput":{"commands":["git log","rm -rf /"],"command":"git log"}`, ""},
	{"an empty command in the list", `"kind":"execute","rawInput":{"commands":[""],"command":"git log"}`, ""},
	{"a number in the list", `"kind":"execute","rawInput":{"commands":[7],"command":"git log"}`, ""},
	{"a list in the list", `"kind":"execute","rawInput":{"commands":[["rm","x"]],"command":"git log"}`, ""},
	{"an object in the list", `"kind":"execute","rawInput":{"commands":[{"command":"rm x"}],"command":"git log"}`, ""},
	{"an object without a command in the list", `"kind":"execute","rawInput":{"commands":[{"run":"rm x"}],"command":"git log"}`, ""},
	{"a text as the list", `"kind":"execute","rawInput":{"commands":"rm x","command":"git log"}`, ""},
	{"an object as the list", `"kind":"execute","rawInput":{"commands":{"a":"rm x"},"command":"git log"}`, ""},
	{"an object as the command", `"kind":"execute","rawInput":{"command":{"line":"rm x"},"commands":["git log"]}`, ""},
	{"a number as the command", `"kind":"execute","rawInput":{"command":1,"commands":["git log"]}`, ""},
	{"a number among the words", `"kind":"execute","rawInput":{"command":["git","log",1]}`, ""},
	{"a list among the words", `"kind":"execute","rawInput":{"command":["git",["log"]]}`, ""},
	{"words beside another list", `"kind":"execute","rawInput":{"command":["git","log"],"commands":["rm x"]}`, ""},
	// Unknown fields of a command.
	{"arguments", `"kind":"execute","rawInput":{"command":"git log","args":["--output=x"]}`, ""},
	{"no arguments", `"kind":"execute","rawInput":{"command":"git log","args":[]}`, ""},
	{"an environment", `"kind":"execute","rawInput":{"command":"git log","env":{"PATH":"./evil"}}`, ""},
	{"an environment as a list", `"kind":"execute","rawInput":{"command":"git log","env":[{"name":"PATH","value":"./evil"}]}`, ""},
	{"another environment", `"kind":"execute","rawInput":{"command":"git log","environment":{"PATH":"./evil"}}`, ""},
	{"a shell", `"kind":"execute","rawInput":{"command":"git log","shell":"./evil/bash"}`, ""},
	{"input", `"kind":"execute","rawInput":{"command":"git log","stdin":"rm x"}`, ""},
	{"keys for a shell that runs", `"kind":"execute","rawInput":{"command":"git log","shellId":"1","input":"rm x\n"}`, ""},
	{"a sandbox that is off", `"kind":"execute","rawInput":{"command":"git log","dangerouslyDisableSandbox":true}`, ""},
	{"more rights", `"kind":"execute","rawInput":{"command":"git log","with_escalated_permissions":true}`, ""},
	{"a user", `"kind":"execute","rawInput":{"command":"git log","user":"root"}`, ""},
	{"a script", `"kind":"execute","rawInput":{"command":"git log","script":"rm x"}`, ""},
	{"a program", `"kind":"execute","rawInput":{"command":"git log","executable":"./evil"}`, ""},
	{"a field of the call", `"kind":"execute","command":"rm x","rawInput":{"command":"git log"}`, ""},
	{"input of the call", `"kind":"execute","input":{"command":"rm x"},"rawInput":{"command":"git log"}`, ""},
	{"another spelling", `"kind":"execute","rawInput":{"command":"git log","Command":"rm x"}`, ""},
	{"a text as the input", `"kind":"execute","title":"git log","rawInput":"rm x"`, ""},
	{"a list as the input", `"kind":"execute","title":"git log","rawInput":["rm","x"]`, ""},
	// Contradictory folders.
	{"two folders", `"kind":"execute","rawInput":{"command":"git log","cwd":"sub","workdir":"vendor"}`, ""},
	{"two folders, one of them the root", `"kind":"execute","rawInput":{"command":"git log","cwd":"$CWD","directory":"vendor"}`, ""},
	{"a number as the folder", `"kind":"execute","rawInput":{"command":"git log","cwd":1}`, ""},
	{"a list as the folder", `"kind":"execute","rawInput":{"command":"git log","cwd":["vendor"]}`, ""},
	// Duplicate keys.
	{"two commands", `"kind":"execute","rawInput":{"command":"git log","command":"rm x"}`, ""},
	{"two commands, the other way around", `"kind":"execute","rawInput":{"command":"rm x","command":"git log"}`, ""},
	{"two commands, one escaped", `"kind":"execute","rawInput":{"command":"git log","\u0063ommand":"rm x"}`, ""},
	{"two inputs", `"kind":"execute","rawInput":{"command":"git log"},"rawInput":{"command":"rm x"}`, ""},
	{"two kinds", `"kind":"edit","kind":"execute","rawInput":{"command":"git log"}`, ""},
	{"two kinds of an edit", `"kind":"read","kind":"edit","locations":[{"path":"a.txt"}]`, ""},
	{"two paths", `"kind":"edit","rawInput":{"path":"a.txt","path":"/etc/passwd"}`, ""},
	{"two paths of a location", `"kind":"edit","locations":[{"path":"a.txt","path":"/etc/passwd"}]`, ""},
	{"two lists of locations", `"kind":"edit","locations":[{"path":"a.txt"}],"locations":[{"path":"/etc/passwd"}]`, ""},
	{"two titles", `"kind":"execute","title":"a","title":"b","rawInput":{"command":"git log"}`, ""},
	// Edits whose files are missing or not strings.
	{"edit of nothing", `"kind":"edit"`, ""},
	{"edit with an empty input", `"kind":"edit","rawInput":{}`, ""},
	{"deletion of nothing", `"kind":"delete"`, ""},
	{"move to nowhere", `"kind":"move","locations":[{"path":"a.txt"}]`, ""},
	{"a list as the path", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":["/etc/passwd"]}`, ""},
	{"an object as the path", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"file_path":{"x":"/etc/passwd"}}`, ""},
	{"a field with another path", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","output":"/etc/passwd"}`, ""},
	{"a list of paths", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"paths":["/etc/passwd"]}`, ""},
	// Patches with files other than the location.
	{"patch of a file outside", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":"*** Begin Patch\n*** Update File: /etc/passwd\n+x\n*** End Patch"`, ""},
	{"patch in a field", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"patch":"--- a/a.txt\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n"}`, ""},
	{"patch as input", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"input":"*** Add File: ../x\n+x\n"}`, ""},
	{"patch that moves", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"input":"*** Update File: a.txt\n*** Move to: /etc/x\n+x\n"}`, ""},
	{"patch of no file", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"patch":"+x\n"}`, ""},
	{"changes by file", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"changes":{"/etc/passwd":{"type":"add"}}}`, ""},
	{"edits of another file", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"edits":[{"path":"/etc/passwd","old_string":"a","new_string":"b"}]}`, ""},
	// Contradictory options, and options that allow permanently.
	{"two answers of one name", `"kind":"execute","rawInput":{"command":"git log"}`, `[{"optionId":"a","kind":"allow_once","name":"Yes"},{"optionId":"a","kind":"reject_once","name":"No"}]`},
	{"only always, for a command", `"kind":"execute","rawInput":{"command":"git log"}`, `[{"optionId":"a","kind":"allow_always","name":"Yes"},{"optionId":"r","kind":"reject_once","name":"No"}]`},
	{"only always, for an edit", `"kind":"edit","locations":[{"path":"a.txt"}]`, `[{"optionId":"a","kind":"allow_always","name":"Yes"},{"optionId":"r","kind":"reject_once","name":"No"}]`},
	{"only always and an unknown kind", `"kind":"execute","rawInput":{"command":"git log"}`, `[{"optionId":"a","kind":"allow_always","name":"Yes"},{"optionId":"x","kind":"allow_forever","name":"No"}]`},
}

// Clear holds permission requests that rules and modes do decide, although they are similar to those in
// Requests. They are the control: without them, Requests would prove nothing.
var Clear = []Request{
	{"a command", `"kind":"execute","rawInput":{"command":"git log","commands":["git log"]}`, ""},
	{"the parts of a line", `"kind":"execute","rawInput":{"command":"git log","commands":["git"],"description":"x","timeout":1}`, ""},
	{"the words of a command", `"kind":"execute","rawInput":{"command":["git","log"],"cwd":"$CWD"}`, ""},
	{"an edit", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","old_str":"a","new_str":"b"}`, ""},
	{"an edit by a tool for texts", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"command":"str_replace","path":"a.txt","old_str":"a","new_str":"b"}`, ""},
	{"a patch in the folder", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":"*** Begin Patch\n*** Update File: a.txt\n+x\n*** End Patch"`, ""},
	{"a tool with fields of its own", `"kind":"other","rawInput":{"anything":{"env":1}}`, ""},
}
