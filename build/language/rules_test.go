package language

import "regexp"

// rule bans the text that its pattern matches.
type rule struct {
	pattern string
	instead string
}

// causative matches "have" followed by an object and a verb. The name of the operation, such as "restarts", is clearer.
const causative = `\b(has|have|had) (it|them|the \w+) (answer|ask|be|close|do|end|fail|read|show|start|stop|wait|write)\b`

// sentenceRules apply to the text that VoxPilot shows to users or sends to models, and to the docs.
var sentenceRules = []rule{
	{`\b([Cc]ould|[Dd]id|[Dd]oes|[Dd]o|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Hh]as|[Hh]ave|[Ww]ould) not\b|\b[Cc]annot\b`, "a contraction: couldn't, can't, isn't"},
	{`^(A|An|No|The|This|Your) [^.]* couldn't be \w+ed\.?$`, "Couldn't + verb + object"},
	{`\bany ?more\b`, "no longer"},
	{`(?i)\b(nobody|somebody|whoever|anybody)\b`, "the actor: you, the agent, another program"},
	{`\b[Ww]ho (asks|answers|calls|reads|writes|waits)\b`, "the actor"},
	{`\b([Ww]hat|[Ww]hich) answers\b`, "the model or agent"},
	{`\bgo(es)? on\b`, "continue"},
	{`\b(begin|begins|began|begun)\b`, "start"},
	{`\bat work\b`, "running"},
	{`\bby itself\b`, "automatically, on its own"},
	{`\bfor good\b`, "permanently"},
	{`\b(anew|afresh)\b`, "again"},
	{`\basks? for a pause\b`, "is rate-limiting requests"},
	{`\bwhere there (is|are) no`, "if there is no"},
	{`\b(is|are|was|were) told\b`, "receives, is notified"},
	{`\bwhat (came|comes) of\b`, "result"},
	{`\bof (ours|its own|their own)\b`, "a possessive"},
	{`\bin the place of\b`, "instead of"},
	{`(?i)\bthrow away\b`, "Discard"},
	{`(?i)\btakes? (it |them )?out of\b`, "Remove from"},
	{`(?i)\blets? go of\b`, "discard"},
	{`\b(is|are) not there\b|\bisn't there\b`, "doesn't exist"},
	{`\b(did not|didn't|does not|doesn't) work\b`, "name what failed"},
	{`\bis gone\b`, "no longer exists, has exited"},
	{`\bis well\b|\ball is well\b`, "is healthy"},
	{causative, "name the operation"},
	{`\pL’\pL`, "a straight apostrophe"},
	{`(?i)\b(colou[r]|behaviou[r]|cancel[l]ed|favourit[e]|licenc[e]|organis|recognis|analys)`, "US spelling"},
}

// commentRules apply to comments in Go and TypeScript code.
var commentRules = []rule{
	{`^\w+ (is|are) (what|where|how|who|why|whether|when)\b`, "a noun, or a verb for a function"},
	{`\b(says|say|tells|tell|knows|know) (whether|what|why|how|which|where)\b`, "reports whether, returns, describes"},
	{`\bwhere there (is|are|was) (none|no|nothing)\b`, "if there is none"},
	{`\bwhat (came|comes|becomes) of\b`, "result, outcome"},
	{`\bany ?more\b`, "no longer"},
	{`\b([mM]u|[mM]utex|[lL]ock) is held\b`, "The caller must hold x.mu."},
	{`(?i)\b(nobody|somebody|anybody)\b`, "the actor: caller, user, client, process"},
	{`\bwho (asks|answers|calls|reads|writes|waits)\b`, "the actor"},
	{`\b(is|are|was|were) told\b`, "receives, is notified"},
	{`\bgo(es)? on\b`, "continues"},
	{`\b(begins|began to|begun|anew|afresh)\b`, "starts, started, again"},
	{`\bat work\b`, "running, busy"},
	{`\bby itself\b`, "automatically, on its own"},
	{`\bfor good\b`, "permanently"},
	{`\bof ours\b`, "a possessive"},
	{`\bof (its|their) own($|[,.;:)]| (and|is|are|that|which|after|has|have|passes)\b)`, "separate, its own …, another"},
	{`\bin the place of\b`, "instead of, replaces"},
	{`\blets? go of\b`, "discards, releases"},
	{`\belsewhere\b`, "external, in another …"},
	{`\b(is|are|was|were) gone\b`, "no longer exists, is missing, has exited"},
	{`\b(held|kept) in (the|a) (database|keychain|row|store|table)\b`, "stored, persisted"},
	{`\bheld in memory\b`, "kept in memory"},
	{causative, "name the operation: restarts, selects"},
}

// bannedNames are participles and vague words. Nothing declared outside of functions may have one of them as its name.
var bannedNames = []string{
	"again", "asked", "asking", "away", "awake", "begins", "begun", "blind", "box", "came", "comes", "desk", "does", "doing",
	"elsewhere", "enroll", "finding", "given", "gives", "glimpse", "goes", "gone", "happening", "happens", "heard", "hears",
	"held", "hush", "kept", "left", "lets", "living", "looking", "looks", "misfit", "nobody", "occasion", "office", "past",
	"place", "reach", "renounce", "said", "saw", "says", "sees", "shown", "somebody", "spot", "strike", "taken", "takes",
	"tame", "tells", "told", "unasked", "waits", "wanted", "wants", "world",
}

// bannedParts are words that no name declared outside of functions may contain.
var bannedParts = []string{"asked", "came", "elsewhere", "gone", "heard", "kept", "said", "told", "unasked"}

// nameParts matches the words of a name.
var nameParts = regexp.MustCompile(`\p{Lu}?\p{Ll}+|\p{Lu}+`)

// nameExceptions are banned names that some declarations may have, each with the reason.
var nameExceptions = map[string]string{
	"Looking":  "a bound method of the app",
	"Shown":    "a JSON field",
	"Place":    "a JSON field",
	"FileGone": "a JSON field",
}

// sentenceExceptions are phrases that are allowed although a rule bans them, each with the reason.
var sentenceExceptions = map[string]string{
	"The previous ${who} session could not be restored. A new session has been started.": "the specification prescribes it",

	"does not exist":                     "part of a message of the CLI",
	"does not have any commits yet":      "part of a message of git",
	"cancelled":                          "a stop reason of ACP",
	"begin":                              "a word that a user writes in practice mode",
	"so do does not\n":                   "words in which no title ends",
	"|i’m trying to|":                    "words that a user writes",
	"|let’s|let us":                      "words that a user writes",
	"nothing happens at all, and nobody": "a story",
	"as if someone had let go of it":     "a story",
}

// commentExceptions are phrases that are allowed in comments although a rule bans them, each with the reason.
var commentExceptions = map[string]string{
	"nobody returns an event": "a helper",
	"as the user nobody":      "the Unix user",
}
