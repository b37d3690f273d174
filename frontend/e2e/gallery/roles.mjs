// The elements that the design names, by ARIA role and exact accessible name, in the expected state: the
// content that screen readers receive. axe only reports violated rules.

/** Expected elements of each gallery screen, in the notation of rows.mjs. */
export const roles = {
  "01-chat-streaming": `
    navigation "Chats"; button "New chat"; button "Search"; button "Hide sidebar"; button "Settings"
    button "Account: octocat"; region "orbit-api"; region "harbor-web"
    link "Fix token refresh race, running" [data-state=running] [aria-current=page] in region "orbit-api"
    link "Rename billing webhooks, new reply" [data-state=unread]
    link "Flaky upload test, failed" [data-state=failed]
    link "Bundle size audit" [data-state=idle] in region "harbor-web"
    main "Fix token refresh race"; heading "Fix token refresh race"
    button "Connection: Connected" [data-state=connected]; button "Inspector" [aria-expanded=false]
    button "Chat actions"; log "Transcript" [aria-live=off]
    article "You, 14:02"; article "VoxPilot, 14:02"; button "Edit and send again" in article "You, 14:02"
    group "Copilot [auth-bug-fix]" [data-state=done] says "🤖 Copilot [auth-bug-fix] — done"
    group "Copilot [auth-bug-fix]" says "+48 −12 in 3 files · 2 commands · 41 s"
    group "Copilot [refactor-logger]" [data-state=running] [open] says "🤖 Copilot [refactor-logger] 1:12"
    no button "Stop auth-bug-fix"; button "Stop refactor-logger"; list "Plan"; list "Tool calls"
    listitem "" [data-s=done] says "Find every use of the global logger" in list "Plan"; text ", done" in list "Plan"
    listitem "" [data-s=now] says "Pass a Logger through the server" in list "Plan"; text ", in progress" in list "Plan"
    listitem "" [data-s=todo] says "Run the whole test suite" in list "Plan"; text ", to do" in list "Plan"
    button "Search \\"log.Default(\\", completed" [data-status=completed]
    button "Edit internal/log/logger.go, completed" [data-status=completed] says "+31 −4"
    button "Run go build ./..., in progress" [data-status=in_progress] [aria-expanded=false]
    region "Copilot output"; form "Composer"; textbox "Message" [placeholder=Add a message to the queue]
    button "Attach image"; button "Mention file"
    button "Commands"; button "Mode: Agent"; button "Model: GPT-4.1"; button "Permissions: Ask first"
    button "Context: 38% used"; button "Queue" [disabled]; button "Stop"; no button "Send"`,
  "01c-connection": `
    button "Connection: Connected" [aria-expanded=true]; dialog "Connection"
    button "Reconnect" in dialog "Connection"; button "Stop Copilot"; button "Copy details"`,
  "01d-connection-failed": `
    button "Connection: Stopped" [data-state=offline]; button "Reconnect"
    region "Last output" in dialog "Connection"`,
  "01e-practice": `link "Say hello, practice"; list "Three things to try"; button "Fix the greeting"; button "Run the script"; button "Tell me a long story"`,
  "01f-delete": `
    dialog "Delete this chat?" says "Its messages are removed from this computer."; button "Delete"; button "Cancel"`,
  "01h-storage-opening": `heading "Opening your chats…"; no button "Try again"`,
  "01h-storage-newer": `heading "This database was created by a newer version of VoxPilot."; button "Try again"; button "Copy details"`,
  "01h-storage-unusable": `heading "Couldn't open the database."; button "Try again"; button "Copy details"`,
  "01g-storage-in-use": `heading "VoxPilot is already open."; button "Try again"`,
  "01h-storage-failing": `
    alert "New messages haven't been saved yet."
    button "Try again" in alert "New messages haven't been saved yet."; no button "Dismiss"`,
  "01h-storage-read-only": `
    alert "Can't write to the database."; button "Try again" in alert "Can't write to the database."`,
  "01h-storage-salvaged": `
    alert "The database was damaged."; button "Dismiss"; button "Copy details" in alert "The database was damaged."`,
  "01i-rename": `textbox "Chat title"`,
  "01j-account-menu": `button "Account: octocat" [aria-expanded=true]; menu "Account: octocat"`,
  "01l-sidebar-managed": `
    link "Explain the retry budget, pinned"; link "Replace date picker, pinned"; no link "Bundle size audit"
    link "Release notes for 2.4" in region "Archived"`,
  "01m-sidebar-filter": `
    button "Filter chats" [aria-expanded=true]; textbox "Filter chats by title or folder"; button "Clear filter"
    text "5 chats"; no link "Flaky upload test, failed"`,
  "01q-quit": `
    dialog "2 chats are still running. Quit anyway?"
    text "Running agents will stop. You can continue their sessions the next time you open VoxPilot."; button "Quit"; button "Keep running"`,
  "01r-chat-actions": `
    menu "Chat actions"; menuitem "Pin"; menuitem "Archive"; menuitem "New chat with summary"
    menuitem "Locate folder…"; menuitem "Export as Markdown…"; menuitem "Delete…"`,
  "02c-sidebar-needs-you": `
    link "Rename billing webhooks, needs you" [data-state=attn]; button "1 other chat needs you"`,
  "02c2-sidebar-two-need-you": `
    button "2 other chats need you"; link "Rename billing webhooks, needs you"; link "Dark mode for invoices, needs you"`,
  "02-permission": `
    link "Fix token refresh race, needs you" [data-state=attn] [aria-current=page]
    group "Copilot [auth-bug-fix]" [data-state=waiting] [open] says "🤖 Copilot [auth-bug-fix] — needs you"
    button "Stop auth-bug-fix"; button "Edit internal/auth/refresh.go, pending" [data-status=pending]
    button "Read internal/auth/refresh.go, completed" says "112 lines"
    group "Permission request: Edit internal/auth/refresh.go"; region "Proposed change to internal/auth/refresh.go"
    button "Show all 36 lines"; button "Allow once" [aria-keyshortcuts=Control+Shift+Enter]; button "Always allow"
    button "Reject" [aria-keyshortcuts=Control+Shift+Backspace]; no button "Always reject"
    text "“Always allow” creates a rule that covers all edits and new files in orbit-api, but not deletions or moves. You can remove it in Settings > Permissions."
    assertive "Copilot auth-bug-fix asks to edit internal/auth/refresh.go"`,
  "20-question": `
    link "Fix token refresh race, needs you" [data-state=attn] [aria-current=page]
    group "Question: How long should late callers wait for the first one?" says "Asked by Copilot in orbit-api"
    radiogroup "Answer"; radio "10 seconds" [aria-checked=true]; radio "No limit" [aria-checked=false]
    radio "Make it a setting"; textbox "Your own answer"
    button "Answer" [aria-keyshortcuts=Control+Shift+Enter]; button "Skip" [aria-keyshortcuts=Control+Shift+Backspace]
    assertive "Copilot asks: How long should late callers wait for the first one?"`,
  "20b-question-form": `
    group "Form: Details for the new database"; textbox "Name" [aria-invalid=true]; textbox "Size in GB"
    combobox "Region"; checkbox "pgvector" [aria-checked=true]; checkbox "postgis" [aria-checked=false]
    switch "Daily backup" [aria-checked=true]; button "Send answers" [aria-keyshortcuts=Control+Shift+Enter]; button "Skip"
    assertive "Copilot asks: Details for the new database"`,
  "20c-question-url": `
    group "Web page: Open sentry.io to sign in" says "Asked by Copilot in orbit-api"; region "Web address" says "https://sentry.io/oauth"
    button "Open in browser" [aria-keyshortcuts=Control+Shift+Enter]; button "Copy address"
    button "Decline" [aria-keyshortcuts=Control+Shift+Backspace]; text "You enter passwords on sentry.io, not here. VoxPilot doesn't see them."
    assertive "Copilot asks: Open sentry.io to sign in"`,
  "20c2-question-url-odd": `
    group "Web page: This address isn't what it looks like" says "Browsers show it as sentrý.io."
    region "Web address" says "https://xn--sentr-uva.io/oauth"; button "Decline"; button "Open anyway…"; no button "Open in browser"`,
  "20c3-question-url-sure": `button "Cancel"; button "Open in browser"`,
  "20c4-questions": `button "Previous question"; button "Next question"; group "Question: Which parts should have tests?"`,
  "20d-plan-card": `
    link "Fix token refresh race, needs you" [data-state=attn] [aria-current=page]
    group "Plan: Fix the token refresh race" says "6 steps · written by Copilot in orbit-api"
    list "Steps"; textbox "Step 2"; button "Edit step 3"; button "Remove step 3"; button "Comment on step 3"
    button "Approve" [aria-keyshortcuts=Control+Shift+Enter]; button "Approve and allow edits"; button "Ask for changes…"
    button "Save as a file…"; button "Copy plan"; button "Add a step"; button "Edit as text"
    assertive "Copilot has a plan with 6 steps"`,
  "20d2-plan-changes": `textbox "Comment on step 5"; textbox "What should change?"; button "Send"; button "Cancel"; no button "Approve"`,
  "20d3-plan-prose": `group "Plan: Copilot's plan" says "2 steps"; list "Steps"`,
  "20d4-plan-text": `textbox "Plan in Markdown"; button "Show as steps"; no list "Steps"`,
  "20h-question-confirm": `group "Question: Delete the branch fix-refresh?"; button "Confirm"; button "Decline"; no button "Skip"`,
  "02b-permission-command": `
    group "Permission request: Run a command" says "Request 1 of 2"
    region "Command" says "make migrate ENV=dev && make seed-subscriptions"
    button "Allow once"; button "Always allow"; button "Reject"
    text "“Always allow” creates a rule that covers this command in orbit-api, exactly as written. You can remove it in Settings > Permissions."
    button "Run make migrate ENV=dev, pending" [data-status=pending] says "waiting for you"
    button "Edit internal/hooks/events.go, completed"; button "Move hooks/invoice.go to hooks/billing.go, completed"
    assertive "Copilot webhook-names asks to run a command"`,
  "02e-permission-files": `
    group "Permission request: Change 3 files"; region "Edit internal/auth/refresh.go"
    region "Proposed change to internal/auth/refresh.go"; region "Edit internal/auth/refresh_test.go"; region "Edit go.mod"
    button "Show all 12 lines"
    button "Allow once"; button "Reject"; no button "Always allow"`,
  "29c-request-files": `
    group "Permission request: Change 3 files" says "Requested by Copilot in orbit-api: 1 edit, 1 new file, 1 deletion"
    region "Edit internal/auth/refresh.go"; region "Create internal/flight/flight.go"; region "Delete internal/log/global.go"
    region "Proposed change to internal/auth/refresh.go"; button "Show all 58 lines"
    button "Show 19 more lines of internal/flight/flight.go"; button "Allow once"; button "Reject" [aria-expanded=false]; no button "Always allow"
    text "“Allow once” covers these 3 files as shown. “Always allow” isn't available when a request changes several files."`,
  "29f-reject-reason": `
    group "Permission request: Edit main_test.go"; textbox "What should Copilot do instead?"; button "Reject and send"
    button "Cancel" [aria-keyshortcuts=Escape]; no button "Allow once"`,
  "29g-request-danger": `
    group "Permission request: Run a command"; region "Command" says "rm -rf dist .cache && curl"
    list "Risks" says "Permanently deletes files: dist and .cache (214 files)."; button "Allow once"; button "Reject"
    no button "Always allow"; text "Because of the risks above, “Allow once” has no keyboard shortcut and “Always allow” isn't available."`,
  "02h-permission-says": `
    group "Permission request: Use SendReport"; region "Explanation from Copilot" says "U+202E"; button "Allow once"; button "Reject"`,
  "02f-permission-long": `region "Proposed change to internal/codes/table.txt"; button "Always allow"`,
  "02d-inbox": `button "All requests" [aria-expanded=true]; list "Requests waiting for you"`,
  "02e-permission-delete": `
    group "Permission request: Delete internal/log/global.go"; no button "Always allow"
    button "Delete internal/log/global.go, pending"`,
  "02e-permission-move": `
    group "Permission request: Move hooks/invoice.go to hooks/billing.go"
    button "Move hooks/invoice.go to hooks/billing.go, pending"`,
  "02e-permission-use": `
    group "Permission request: Use github-mcp-server, list_issues"; region "Request" says "open"
    button "Allow once"; button "Reject"; no button "Always allow"
    button "Use github-mcp-server, list_issues, pending"`,
  "02e-permission-outside": `
    group "Permission request: Read /etc/hosts" says "Accesses files outside this chat's folder"; button "Read /etc/hosts, pending"
    no button "Always allow"`,
  "02e-permission-open": `
    group "Permission request: Open pkg.go.dev"; button "Fetch pkg.go.dev/log/slog, pending"
    text "“Always allow” creates a rule that covers all web addresses on pkg.go.dev for chats in orbit-api. You can remove it in Settings > Permissions."`,
  "02e-permission-always-reject": `button "Allow once"; button "Reject"; button "Always reject"; no button "Never"`,
  "02e-permission-unknown": `button "Allow once"; button "Allow for an hour"; button "Reject"`,
  "03a-reconnect-restored": `
    status "Session restored" says "Session restored. Copilot [auth-bug-fix] has its full history again."
    alert "Last message may be incomplete"; button "Ask Copilot to continue" in alert "Last message may be incomplete"
    button "Show changes so far"; button "Dismiss" in status "Session restored"; button "Send" [disabled]
    group "Copilot [refactor-logger]" [data-state=interrupted] [open] says "🤖 Copilot [refactor-logger] — interrupted"
    button "Run go build ./..., failed" [data-status=failed] says "no result"
    textbox "Message" [placeholder=Message VoxPilot]`,
  "03b-reconnect-lost": `
    alert "Session couldn't be restored" says "Your conversation history in VoxPilot is intact."
    button "Hide the summary given to Copilot" [aria-expanded=true]; button "Copy details"`,
  "03c-reconnect-sign-in": `
    alert "Sign-in needed" says "Your GitHub sign-in has expired."; button "Sign in to GitHub" in alert "Sign-in needed"
    button "Work without Copilot"; button "Connection: Sign-in needed" [data-state=signin]
    list "Queued messages"; button "Edit queued message 1"; button "Remove queued message 1"
    textbox "Message" [placeholder=Messages are queued until you sign in]`,
  "03d-reconnecting": `
    status "Reconnecting" says "Reconnecting, attempt 2 of 5. Next try in 4 s."; button "Reconnect now"
    button "Show log" [aria-expanded=false]; button "Connection: Reconnecting…" [data-state=reconnecting]
    textbox "Message" [placeholder=Messages are queued until Copilot is back]`,
  "03e-starting": `button "Connection: Starting…" [data-state=reconnecting]; text "Starting Copilot…"`,
  "03f-restoring": `button "Connection: Restoring…" [data-state=reconnecting]; text "Restoring session…"`,
  "04h-inspector-plan": `region "Plan of this answer" says "1 of 3 done"; tree "Changed files"`,
  "04-inspector-changes": `
    complementary "Inspector"; tablist "Inspector"; tab "Changes" [aria-selected=true]
    tab "Sessions" [aria-selected=false]; tab "Terminal"; tab "Protocol"; tabpanel "Changes"
    button "Inspector" [aria-expanded=true]; button "Close inspector"; tree "Changed files"
    treeitem "internal/auth/refresh.go, 31 added, 6 removed" [aria-selected=true]
    treeitem "internal/log/global.go, 0 added, 22 removed" [aria-selected=false]
    region "Diff of internal/auth/refresh.go"; button "Open in editor"; button "Wrap long lines" [aria-pressed=false]
    button "Copy message"; button "Try again"`,
  "04a-inspector-split": `button "Side by side" [aria-pressed=true]; region "Diff of internal/auth/refresh.go"`,
  "04a4-inspector-changes-empty": `text "No changes in this chat yet." in tabpanel "Changes"`,
  "04b-inspector-sessions": `
    tab "Sessions" [aria-selected=true]; tabpanel "Sessions"; list "Copilot sessions"
    button "Show in chat" in list "Copilot sessions"; button "Stop refactor-logger" in list "Copilot sessions"
    button "Copy session ID"; button "Session actions"; text "Idle" [data-state=idle]
    text "Running" [data-state=running]; text "Couldn't be restored" [data-state=lost]; button "Restart Copilot"`,
  "04b2-inspector-needs-you": `
    text "Needs you" [data-state=waiting] in list "Copilot sessions"; button "Show request"
    group "Permission request: Open pkg.go.dev"; button "Fetch pkg.go.dev/log/slog, pending" [data-status=pending]`,
  "04b3-inspector-write": `textbox "Message to auth-bug-fix" in form "Message to auth-bug-fix"; button "Send" [enabled]`,
  "04b4-inspector-empty": `text "Copilot hasn't been used in this chat." in tabpanel "Sessions"`,
  "04b5-inspector-continue": `dialog "Continue a session"; button "Continue"`,
  "04b6-inspector-processes": `
    button "Stop Copilot" in table "Copilot processes"; button "Stop go build ./..." in table "Copilot processes"`,
  "04b7-inspector-session-menu": `
    button "Session actions" [aria-expanded=true]; menu "Session actions"; menuitem "Send message"
    menuitem "Fork…"; menuitem "Restart"; menuitem "Close…"`,
  "04b8-inspector-fork": `
    dialog "Fork “auth-bug-fix”"; textbox "New session name"; button "Fork" [enabled]; button "Cancel"`,
  "04b9-inspector-restart": `dialog "Restart “refactor-logger”?"; button "Restart"; button "Cancel"`,
  "04b10-inspector-close": `dialog "Close “auth-bug-fix”?"; button "Close"; button "Cancel"`,
  "04b11-inspector-restart-copilot": `dialog "Restart Copilot?"; button "Restart"; button "Cancel"`,
  "04c-inspector-terminal": `
    tab "Terminal" [aria-selected=true]; tablist "Terminals"
    tab "go test ./..." [aria-selected=true] in tablist "Terminals"; tab "go vet ./..., exit 1" [aria-selected=false]
    region "Terminal output: go test ./..."; button "Stop command"; button "Copy output"`,
  "04c2-inspector-terminal-empty": `text "No commands yet." in tabpanel "Terminal"`,
  "04d-inspector-protocol": `
    tab "Protocol" [aria-selected=true]; table "Protocol log"; searchbox "Filter messages"; button "Pause log"
    button "Save log"; button "session/request_permission" [aria-expanded=true]; button "initialize" [aria-expanded=false]`,
  "04d2-inspector-protocol-empty": `text "Nothing sent yet." in tabpanel "Protocol"`,
  "04d3-inspector-protocol-paused": `button "Resume log"; no button "Pause log"`,
  "05-first-run": `
    list "Setup"; listitem "" [aria-current=step] says "Sign in to GitHub"; group "Sign-in code 7K4P-QX2M"
    button "Copy code and open GitHub"; button "Copy code"
    status "Sign-in status"; button "Set up later"; button "Start" [disabled]`,
  "05g-first-run-found": `
    listitem "" [aria-current=step] says "Continue with GitHub"; button "Use another account"`,
  "05h-first-run-no-code": `button "Sign in with Copilot CLI"; list "Other ways to sign in"; button "Use GitHub CLI (gh)"; button "Paste a token"`,
  "05b-first-run-cli-missing": `
    button "Check again"; button "Choose file…"; button "Copy command"; list "Setup"
    listitem "" [aria-current=step] says "Copilot CLI wasn't found"`,
  "05c-first-run-folder": `
    listitem "" [aria-current=step] says "Choose a folder"; button "Choose another folder…"; button "Start" [enabled]`,
  "05f-first-run-code-expired": `status "Sign-in status" says "The code has expired."; button "Get a new code"`,
  "05f-first-run-code-denied": `status "Sign-in status" says "The sign-in wasn't approved on GitHub."`,
  "05f-first-run-code-unreachable": `status "Sign-in status" says "Can't reach GitHub."`,
  "06a-settings-account": `
    navigation "Settings"; button "Back to chats"; link "Account" [aria-current=page]; link "Agent"; link "Permissions"
    link "Appearance"; link "Shortcuts"; button "Sign out"; button "Check now"; combobox "Provider"; combobox "Model"
    textbox "Server address"`,
  "06a6-settings-remove-model": `dialog "Remove “Ollama”?"; button "Remove"; button "Cancel"`,
  "06b-settings-agent": `
    textbox "Program"; textbox "Session folder"; switch "Restore sessions when a chat opens" [checked]
    combobox "If a session can't be restored"; combobox "Reconnect attempts"
    combobox "Stop Copilot after" says "Never"`,
  "06b4-settings-remove-agent": `dialog "Remove “Qwen Code”?"; button "Remove"; button "Cancel"`,
  "06c-settings-permissions": `
    radiogroup "Default permission"; radio "Ask first" [checked]; radio "Allow edits" [unchecked]
    no radio "Allow everything"; switch "Always ask outside the folder" [checked]; table "Permission rules"
    button "Remove rule: go test ./..." in table "Permission rules"; button "Remove rule: Edit files"
    button "Remove all rules"`,
  "06c5-settings-remove-rules": `dialog "Remove all rules?"; button "Remove all"; button "Cancel"`,
  "06d-settings-appearance": `
    radiogroup "Theme"; radio "System" [checked] in radiogroup "Theme"; radio "Light" [unchecked]; radio "Dark" [unchecked]
    radiogroup "Contrast"; radio "Normal" [unchecked]; radio "More" [unchecked]
    radiogroup "Motion"; radio "Full" [unchecked]; radio "Reduced" [checked]; combobox "Text size"; combobox "Code font"
    switch "Collapse Copilot blocks when they finish" [checked]; switch "Show thoughts" [checked]
    switch "Wrap long lines in diffs" [unchecked]`,
  "06e-settings-shortcuts": `
    heading "Shortcuts"; link "Shortcuts" [aria-current=page]
    table "Shortcuts, system-wide"; table "Shortcuts, anywhere"; table "Shortcuts, chat"
    table "Shortcuts, composer"; table "Shortcuts, permission request"; table "Shortcuts, transcript and changes"`,
  "06m-agent-sign-in": `
    alert "Sign-in needed" says "Sign in to Codex to continue."; list "Sign-in methods" says "VoxPilot doesn't support this method."
    button "Login with ChatGPT"; button "Use CODEX_API_KEY…"; button "Subscription…"; button "More methods"
    button "Check again"; no button "Passkey"`,
  "06m2-agent-sign-in-failed": `
    alert "Sign-in needed" says "Couldn't sign in to Codex. Codex: The login was denied."; button "Try again"`,
  "06m3-agent-sign-in-running": `
    status "Sign-in needed" says "Signing in to Codex…"; button "Cancel"; no button "Login with ChatGPT"`,
  "06m4-agent-sign-in-key": `
    dialog "Sign in to Codex"; textbox "API key"; textbox "CODEX_ORG (optional)"; button "Get the values"
    button "Sign in" in dialog "Sign in to Codex"; button "Cancel" in dialog "Sign in to Codex"`,
  "06m5-agent-sign-in-command": `
    dialog "Sign in to Codex"; region "Command" says "/usr/bin/node"; button "Run"`,
  "06m6-agent-sign-in-terminal": `
    dialog "Sign in to Codex"; region "Terminal"; textbox "Terminal input"; button "Cancel sign-in…"`,
  "06m9-settings-agent-sign-in": `
    button "Sign out…"; button "Check sign-in"; text "Signed in"; text "Sign-in needed"`,
  "07-quick-prompt": `
    dialog "Quick prompt"; textbox "Message" [aria-activedescendant]; listbox "Send to"
    option "Fix token refresh race Running (your message will be queued)" in listbox "Send to"
    button "Permissions: Ask first"; button "Send" [enabled]`,
  "07-quick-prompt-empty": `textbox "Message" [placeholder=Ask for a change, or ask a question]; button "Send" [disabled]`,
  "07-quick-prompt-failed": `alert "" says "The folder /home/anna/code/orbit-api doesn't exist."; button "Send" [enabled]`,
  "07-quick-prompt-picker": `
    button "Permissions: Ask first" [aria-expanded=true]; listbox "Permissions"; no option "Allow everything"`,
  "09-new-chat": `
    button "New chat" [aria-current=page]; main "New chat"; button "Folder: orbit-api"; region "Start from"
    button "Continue a terminal session…" in region "Start from"
    region "Recent in this folder"; textbox "Message" [placeholder=What should change in orbit-api?]
    button "Mode: Agent"; button "Model: GPT-4.1"; button "Permissions: Ask first"`,
  "10-narrow": `button "Show sidebar"; main "Fix token refresh race"`,
  "10b-narrow-sidebar": `navigation "Chats"; button "Hide sidebar"`,
  "10c-narrow-permission": `
    group "Permission request: Run a command"; region "Command" says "make migrate ENV=dev"
    button "Run make migrate ENV=dev, pending"; button "Allow once"; button "Always allow"; button "Reject"`,
  "10d-narrow-inspector": `complementary "Inspector"; button "Close inspector"`,
  "10e-narrow-settings": `navigation "Settings"; button "Back to chats"; link "Account" [aria-current=page]`,
  "11-command-palette": `
    dialog "Command palette"; combobox "Type a command or the name of a chat" [aria-expanded=true]; listbox "Results"`,
  "12-search": `
    button "Search" [aria-current=page]; main "Search"; searchbox "Search all chats"; button "Clear search"
    button "Folder: All folders"; button "From: Anyone"; button "Kind: Everything"; button "Date: Any time"; region "Search results"
    text "Session cookie audit" in region "Search results"; button "Show 3 more in this chat"
    region "Preview"; status "Result count"; button "Open chat" in region "Preview"`,
  "12b-search-empty": `button "Continue a terminal session…"`,
  "12c-search-none": `button "Continue a terminal session…"; button "Clear filters"; text "Nothing matches “nothing like it”. Try fewer words or different filters."`,
  "13-states": `
    button "Thought for 6 s" [aria-expanded=false]; button "Read internal/auth/refresh.go, completed" says "lines 30 to 88"
    button "Edit internal/log/logger.go, completed" [aria-expanded=true] says "allowed once"
    region "Diff of internal/log/logger.go"
    button "Delete internal/log/global.go, completed"; button "Move hooks/invoice.go to hooks/billing.go, completed"
    button "Search s.cache[, completed"; button "Run go test ./internal/auth, completed" says "1.9 s"
    button "Think Compare two ways to share the call, completed"
    button "Fetch pkg.go.dev/golang.org/x/sync/singleflight, completed"
    button "Use github-mcp-server, list_issues, completed"
    button "Run go vet ./..., failed" [data-status=failed] [aria-expanded=true] says "exit 1"
    region "Output of go vet ./..." says "unusedresult"
    button "Edit deploy/prod.yaml, failed" [data-status=failed] says "you rejected this"`,
  "13-failed": `button "Try again"; button "Copy details"`,
  "13-prose": `button "Copy code" in article "VoxPilot, 13:41"; link "the paper"; table ""`,
  "13-blocks-side-by-side": `
    group "Copilot [auth-bug-fix]" [data-state=waiting] says "— needs you"
    group "Copilot [refactor-logger]" [data-state=waiting] says "— needs you"
    button "Stop auth-bug-fix"; button "Stop refactor-logger"`,
  "13-blocks-ended": `
    group "Copilot [auth-bug-fix]" [data-state=done] says "— done +48 −12 in 3 files · 2 commands · 41 s"
    group "Copilot [docs-update]" [data-state=done] says "— done 1 command · 6 s"
    group "Copilot [auth-bug-fix]" [data-state=stopped] says "— stopped +31 −4 in 1 file · 18 s"
    group "Copilot [auth-bug-fix]" [data-state=interrupted] [open] says "— interrupted +31 −4 in 1 file · 1 min 20 s"
    group "Copilot [upload-flake]" [data-state=failed] [open] says "— failed 2 commands · 3 min 2 s"
    group "Copilot [release-notes]" [data-state=stopped] says "— stopped 41 s"
    button "Try again" in group "Copilot [upload-flake]"; button "Copy details"`,
  "13-blocks-long": `button "Jump to latest"`,
  "13g-decided": `
    button "Run go vet ./..., completed" says "allowed once"; button "Run go test ./..., completed" says "always allowed"
    button "Run gofmt -l ., completed" says "allowed by your settings"
    button "Run git push, failed" says "you rejected this"; button "Run make release, failed" says "not answered"`,
  "13h-blocks-ended-early": `
    group "Copilot [key-notes]" [data-state=failed] [open] says "Copilot declined this request."
    button "Try again" in group "Copilot [key-notes]"
    group "Copilot [release-notes]" [data-state=stopped] [open] says "Copilot reached its limit."
    button "Ask Copilot to continue" in group "Copilot [release-notes]"`,
  "13i-thinking": `
    button "Thought for 6 s" [aria-expanded=true]; text "Two ways to share the call: a lock, or one flight for all."
    button "Thinking…" [aria-expanded=true]; text "Who else keeps the logger?"`,
  "13j-output-long": `
    region "Output of go test ./..." says "part-1234"; text "The last 200 lines"; button "Show all 1,234 lines"`,
  "13k-link": `
    dialog "Open this link?" says "https://sre.google/sre-book/handling-overload/"; button "Open in browser"; button "Cancel"`,
  "14-cli-missing": `alert "Copilot CLI not found"; button "Check again"; button "Choose file…"`,
  "14-cli-too-old": `alert "Copilot CLI too old"; button "Check again"; button "Copy command"`,
  "14-no-access": `alert "No Copilot access"; button "Use another account"; button "Check again"`,
  "14-offline": `status "Offline"; button "Connection: Offline" [data-state=offline]`,
  "14-locked": `alert "Keychain locked"; button "Try again"`,
  "14-folder-gone": `alert "Folder not found"; button "Locate folder…"`,
  "14-full": `
    alert "Chat almost full"; button "New chat with summary" in alert "Chat almost full"; button "Dismiss"
    button "Context: 86% used"`,
  "14-rescued": `
    status "Session repaired" says "1 damaged entry was left out."; button "Copy details" in status "Session repaired"
    status "Session rebuilt from this chat" says "gave Copilot [auth-bug-fix] this chat's messages and tool results"`,
  "14-handed-over": `
    status "Session from another program" says "Continued from a terminal, 38 messages. 2 damaged entries were left out."
    status "Copilot has this chat's conversation" says "The new session has 6 messages from this chat, with their answers."`,
  "14-paused": `alert "Rate limited"; button "Change model"; button "Cancel"`,
  "14-answer-stopped": `
    alert "The answer stopped halfway"; button "Try again"; button "Open Settings > Your own model"; button "Copy details"`,
  "14-gave-up": `alert "Couldn't restart Copilot"; button "Try again"; button "Show log"`,
  "14-exited-at-once": `
    alert "Couldn't start Copilot" says "exit code 1"; region "Agent log"
    button "Hide log" [aria-expanded=true]; button "Try again" in alert "Couldn't start Copilot"
    button "Connection: Stopped" [data-state=offline]`,
  "14-rules": `
    status "Session restored" says "Session restored, 14:03"; alert "Copilot reached its limit"
    button "Ask Copilot to continue" in alert "Copilot reached its limit"; alert "Copilot reported a problem"
    status "Session couldn't be restored" says "New session, 14:03"; button "Show the summary given to Copilot"`,
  "14-came-back": `
    status "Mode restored" says "Session restored in Plan mode, 14:03"; alert "“Allow everything” is on"
    button "Switch back to “Ask first”" in alert "“Allow everything” is on"; alert "Copilot's history doesn't match this chat"
    button "Permissions: Allow everything"`,
  "14-continued": `
    status "Summary of an earlier chat" says "Continued from “Fix token refresh race”"
    button "Hide the summary given to Copilot" [aria-expanded=true]; text "Summary for the new session"`,
  "15-files": `listbox "Files"; textbox "Message" [aria-activedescendant]`,
  "15-commands": `listbox "Command list"; button "Permissions: Allow everything"`,
  "15-menu-permissions": `dialog "Permissions"; menuitemradio "Ask first Asks before every edit, command and web address." [checked]; button "Permissions: Ask first" [aria-expanded=true]`,
  "15-menu-mode": `listbox "Mode"; button "Mode: Agent" [aria-expanded=true]`,
  "15-menu-model": `listbox "Model"; button "Model: GPT-4.1" [aria-expanded=true]`,
  "15-context": `dialog "Context"`,
  "15-allow-everything": `dialog "Allow everything in this chat?"; button "Allow everything"; button "Cancel"`,
  "15-queue": `
    list "Attachments"; button "Remove signed-out.png"; button "Remove network.png" in list "Attachments"
    list "Queued messages"; button "Edit queued message 1"; button "Remove queued message 1"
    button "Edit queued message 2"; button "Remove queued message 2"; button "Move queued message 2"
    button "Send queued message 2 now"; button "Queue" [enabled]; button "Context: 86% used"`,
  "15-queue-paused": `text "These messages won't be sent until you choose “Send now”."; button "Send now"; list "Queued messages"`,
  "15-queue-editing": `
    textbox "Queued message 2" in list "Queued messages"; button "Save" [enabled]; button "Cancel"
    no button "Edit queued message 2"`,
  "15-reading": `text "Reading signed-out.png…" in list "Attachments"; no button "Remove signed-out.png"`,
  "15-drop": `form "Composer" [data-drop=Drop to attach]`,
  "15-wait-bar": `status "Copilot is waiting for you"; button "Show request"`,
  "16-find": `searchbox "Find"`,
  "29-plain-work": `
    article "VoxPilot, 14:02"; list "Steps by Copilot"; button "Thought for 6 s" [aria-expanded=false]
    button "Read 4 files, searched twice" [aria-expanded=false]
    button "Edited main.go, 5 added, 1 removed" [aria-expanded=true]; region "Change to main.go"
    button "Edited main_test.go, 18 added"; button "Ran go test ./..., exit 1, 2.4 s" [data-status=failed]
    region "Output" says "--- FAIL: TestGreet/spaces"; button "Ran go test ./..., 1.9 s"; button "Searched for race, 3 matches"
    button "Running go test -race ./..." [data-status=in_progress]
    group "This turn's changes" says "2 files changed +26 −1 2 commands 58 s 18.4 K tokens"
    button "Review this turn's changes" in group "This turn's changes"
    group "Copilot is working" says "Working 0:31 1 file changed"; button "Review changes so far"
    no group "Copilot [main]"`,
  "29b-plain-rejected": `
    button "You rejected editing main_test.go" [data-status=rejected]; group "Next steps"
    text "Copilot ended its turn because of this. The change to main.go was kept. main_test.go is untouched."
    button "Tell Copilot why"; button "Continue" in group "Next steps"; text "Continue sends “Go on without this change.”"
    group "This turn's changes" says "1 file changed +5 −1 36 s 9.2 K tokens"; no text "Stopped"
    textbox "Message" [placeholder=Tell Copilot what to do instead]`,
  "29d-retry-error": `
    button "Retried 5 times, 1 min 12 s"; alert "Ollama stopped answering" says "The partial answer above is saved, and no files were changed."; button "Try again"
    button "Open Settings > Your own model"; button "Copy details"`,
  "29h-plain-states": `
    button "Your rule rejected running rm -rf dist"; button "Couldn't edit main.go, the text to replace is not there"
    button "Created internal/flight/flight.go, 24 added"; button "Deleted internal/log/global.go, 22 removed"
    button "Ran npm run serve, killed by SIGKILL, 41 s" [data-status=failed]; button "Ran go build ./..., no result"
    button "Edited 6 files, 48 added, 12 removed"; button "Ran 5 commands, 12 s"
    text "“Use subtests instead, one per case” was sent as your message."
    group "This turn's changes" [data-state=interrupted] says "Interrupted"`,
  "19a-told-done": `
    group "Copilot [auth-bug-fix]" [data-state=done] says "+48 −12 in 3 files"
    polite "Copilot auth-bug-fix is done, 48 added, 12 removed in 3 files"`,
  "19b-told-request": `
    assertive "Copilot auth-bug-fix asks to edit internal/auth/refresh.go"
    group "Permission request: Edit internal/auth/refresh.go"`,
  "25d-trust-folder": `
    dialog "Trust this folder?" says "~/code/harbor-web, cloned 3 days ago from github.com/harborlabs/harbor-web. Files in this folder can run code or tell Copilot what to do."
    region "Runs code" says "Starts the server harbor-icons: ./tools/icons-mcp --watch"
    region "Runs code" says "Runs ./scripts/check.sh before every tool call"
    region "Tells Copilot what to do" says "840 B, last changed on 3 Oct"
    button "View .mcp.json" [aria-expanded=false]; button "View .github/hooks/pre-tool.json"; button "View AGENTS.md"
    button "Open without running code" [enabled]; button "Trust this folder" [enabled]; button "Not now"; button "Close" in dialog "Trust this folder?"
    text "“Open without running code” keeps Copilot in the sandbox. You can trust the folder later."
    text "VoxPilot asks again if any of these items change."`,
  "25d2-trust-view": `
    button "Hide .mcp.json" [aria-expanded=true]; region "Text of .mcp.json" says "mcpServers"`,
  "25d3-trust-changed": `
    dialog "Trust this folder?" says "Some files that can run code have changed since you trusted this folder."
    region "Runs code" says "Before: ./tools/watch"; no region "Tells Copilot what to do"`,
  "25d4-trust-other-agent": `
    region "Tells Claude Code what to do"; region "Runs code" says "U+202E"
    text "12 more aren't listed."; text "1 more isn't listed."
    text "VoxPilot couldn't read the whole folder, so it will ask every time an agent starts here."`,
  "25d5-trust-notes": `text "This is a link to a location outside the folder. VoxPilot doesn't follow such links, so there's no text to show."`,
  "25d7-trust-error": `alert "" says "The disk is full. Free up some space, then try again."; button "Trust this folder"`,
  "25d8-trust-changed-while-open": `status "" says "The folder just changed, so this list was updated."; button "View .envrc"`,
  "25d9-trust-waits": `
    alert "Trust needed" says "VoxPilot hasn't started Copilot because files in this folder can run code."
    button "Review…" in alert "Trust needed"; button "Connection: Trust needed" [data-state=signin]
    link "Bundle size audit, needs you" [data-state=attn] says "Trust this folder to continue"; no dialog "Trust this folder?"
    textbox "Message" [placeholder=Messages are queued until you trust this folder]`,
  "25d9-trust-waits-pill": `button "Review…" in dialog "Connection"`,
  "25-sandbox-picker": `
    button "Permissions: Allow edits, sandbox on" [aria-expanded=true]; dialog "Permissions"
    menuitemradio "Allow edits Allows edits in the folder and commands in the sandbox. Asks about everything else." [aria-checked=true]
    switch "Run commands in a sandbox" [checked]; combobox "Write access"; radiogroup "Network"
    radio "Some sites" [checked] in radiogroup "Network"; button "2 more" in dialog "Permissions"`,
  "25-sandbox-picker-unavailable": `
    button "Permissions: Allow edits"; no switch "Run commands in a sandbox"; button "Sandbox settings" in dialog "Permissions"`,
  "25b-sandbox-blocked": `
    link "Fix token refresh race, needs you" says "Blocked connection to get.example.dev"
    group "Blocked connection to get.example.dev" says "in orbit-api is paused until you decide"
    region "Command" says "curl -sO https://get.example.dev/setup.sh"
    button "Keep blocked" [aria-keyshortcuts=Control+Shift+Backspace]; button "Allow this site"; no button "Always allow"
    button "Run go test ./internal/auth, in the sandbox, completed"
    button "Run curl -sO https://tools.example.dev/lint.sh, in the sandbox, failed" says "blocked: tools.example.dev"
    assertive "Copilot auth-bug-fix asks to connect to get.example.dev"`,
  "25b2-sandbox-leaves": `
    group "Permission request: Run outside the sandbox?" says "This command ran in the sandbox 2 min ago and exited with code 1."
    button "Reject" [aria-keyshortcuts=Control+Shift+Backspace]; button "Allow once outside the sandbox"
    no button "Always allow"; text "If you allow it, the command runs outside the sandbox, with your full permissions."`,
  "25b3-sandbox-inside": `group "Permission request: Run a command" says "Runs in the sandbox"; button "Allow once"`,
  "25b4-sandbox-rows": `
    button "Ran go test ./..., in the sandbox, 41 s"; button "Run outside the sandbox…"
    text "The sandbox blocked tools.example.dev and mirror.example.dev:8443."`,
  "25c-settings-sandbox": `
    link "Sandbox" [aria-current=page]; button "Test"; status "" says "Ready"; switch "Use the sandbox in new chats" [checked]
    combobox "When something is blocked"; list "Write access"; button "Add to Write access…"; button "Remove ~/.ssh"
    switch "Leave out secrets" [checked]; radiogroup "Network"; radio "Some sites" [checked]
    list "Allowed sites" says "Used by npm"; button "Remove github.com"; textbox "Add a site"; textbox "Add a port"`,
  "17-undo-footer": `
    group "This turn's changes" says "9 files changed"; button "Review this turn's changes"
    button "Undo this turn's changes, 9 files" [aria-keyshortcuts=Control+Shift+Z]`,
  "17b-undo-confirm": `
    dialog "Undo this turn's changes?" says "Files will be restored to how they were at 14:02"
    group "internal/auth/refresh.go"; button "Compare internal/auth/refresh.go"
    radiogroup "internal/server/routes.go"; radio "Keep current" [aria-checked=true] in radiogroup "internal/auth/refresh.go"
    radio "Restore" [aria-checked=true] in radiogroup "internal/server/routes.go"; button "Undo changes to 8 files"`,
  "17b-undo-compare": `dialog "Later changes to internal/auth/refresh.go" says "Compares the file as it was after this turn with the file as it is now."`,
  "17c-undo-done": `
    status "This turn's changes were undone" says "8 files"; button "Redo this turn's changes"`,
  "16-review": `
    button "Back to chat" [aria-keyshortcuts=Escape]; heading "Review"; button "Show changes: This chat"
    radiogroup "Diff layout"; radio "Unified" [aria-checked=true]; radio "Split"; button "Review options"
    status "Viewed files" says "4 of 9 viewed"; complementary "Files and commit"; searchbox "Filter files"
    tree "Changed files"; treeitem "internal/auth/refresh.go, edited, 31 added, 6 removed, 2 comments"
    treeitem "cmd/orbitd/main.go, edited, 9 added, 4 removed, viewed"
    treeitem "internal/auth/refresh_test.go, added, 44 added, 0 removed"
    main "Review of Fix token refresh race"; region "Diff of internal/auth/refresh.go" says "added, line 41"
    region "Commit"; textbox "Commit message"; button "Suggest another message"
    button "Files in the commit: All 9 files"; button "More ways to commit"
    article "Comment on lines 41 to 42"; textbox "Comment for line 47"
    region "Comments"; textbox "Note for the whole review"; button "Send to Copilot"
    button "Keep change 1" in region "Diff of internal/auth/refresh.go"
    button "Revert change 1" in region "Diff of internal/auth/refresh.go"
    button "Kept, change 2" [aria-pressed=true]; button "Revert file internal/auth/refresh.go"
    checkbox "Viewed" [aria-checked=false] in region "Diff of internal/auth/refresh.go"
    button "Undo: 3 lines reverted in drop()" [aria-keyshortcuts=Control+Z]`,
  "16b-review-split": `radio "Split" [aria-checked=true]; button "Show all 13 lines"`,
  "16c-review-comments": `article "Comment on lines 41 to 42, changed since"`,
  "16d-review-pull-request": `
    dialog "Open a pull request" says "VoxPilot pushes 1 commit to origin first. The pull request opens on github.com as octocat."
    combobox "Into" in dialog "Open a pull request"; textbox "From"; textbox "Title"; textbox "Description"
    button "Suggest another description"; checkbox "Open as a draft" [unchecked]
    checkbox "Add a summary of this chat" [unchecked]; text "Nothing else is sent to GitHub."
    button "Cancel" in dialog "Open a pull request"; button "Close" in dialog "Open a pull request"
    button "Push and open pull request" [aria-keyshortcuts=Control+Enter] says "Push and open"`,
  "16d-review-pull-compare": `
    button "Push and open compare page"; no checkbox "Open as a draft"; textbox "Description"`,
  "16d-review-pull-blocked": `
    alert "" says "Can't reach github.com. Check your connection, then try again." in dialog "Open a pull request"
    button "Try again"; no textbox "Title"`,
  "16d-review-pull-already": `
    text "This branch already has pull request #1284"; button "Show on GitHub"; no textbox "Title"`,
  "16d-review-pull-open": `
    link "Pull request #1284, Open"; button "Checks: 2 checks passed, 1 check failed, 1 check running"
    button "Reload pull request"; button "Pull request #1284" in region "Commit"`,
  "16d-review-pull-checks": `
    menuitem "e2e Failed"; menuitem "deploy Running"; menuitem "test Passed"; menuitem "docs Skipped"`,
  "16d-review-pull-offline": `
    text "Can't reach github.com. Check your connection, then try again."; button "Try again"`,
  "16d-review-committed": `
    button "Undo commit"; button "Push 1 commit"; button "Pull request…" in region "Commit"`,
  "16e-review-files-narrow": `
    dialog "Files and commit"; button "Close files"; tree "Changed files" in dialog "Files and commit"`,
  "16f-review-ask": `
    dialog "Ask Copilot for a review" says "Copilot reads the changes in its own session and suggests comments."
    textbox "What to look at (optional)"; button "Start review"; button "Cancel"`,
  "16f-review-suggested": `
    article "Suggestion on lines 41 to 42"; button "Accept" in article "Suggestion on lines 41 to 42"
    button "Dismiss" in article "Suggestion on lines 41 to 42"; article "Suggestion on changed lines"
    region "Suggested comments" says "Copilot suggests 3 comments"; button "Next suggestion" [aria-keyshortcuts=G]
    button "Dismiss all"; button "Accept all"; text "1 comment couldn't be added. It's in the chat."`,
  "16f-review-asked": `
    text "Copilot is reviewing the changes…"; button "Show in chat"; button "Stop the review"`,
  "16f-review-failed": `alert "" says "The review failed. Copilot declined this request."; button "Close this note"`,
  "16c-review-states": `
    region "Diff of package-lock.json" says "8,789 changed lines. Not included in the totals until you show the diff."
    button "Show diff"; region "Diff of a/web/logo.png" says "Before, 12 KB, 96 × 56"`,
  "16c-review-states-narrow": `
    button "Revert file a/photo.raw" in region "Diff of a/photo.raw"; button "Revert file run.sh" in region "Diff of run.sh"`,
  "16c-review-nothing": `text "No changes in this chat yet"; text "Edits by Copilot appear here as they happen."`,
  "16c-review-changed": `
    status "Changed on disk" says "Changed on disk just now."; button "Show new version" in status "Changed on disk"`,
  "16c-review-working": `text "Copilot [refactor-logger] is still working. New changes appear below the one you're reading."`,
  "16c-review-conflict": `
    group "Conflict 1 of 1"; button "Use this: Current, main"; button "Use this: Incoming, copilot/token-refresh"
    button "Use both, conflict 1"; button "Open in editor, conflict 1"; button "Ask Copilot to resolve conflict 1"`,
  "16c-review-conflict-narrow": `button "Use both, conflict 1"; button "Ask Copilot to resolve conflict 1"`,
  "16-review-staged": `
    button "Stage change 1" in region "Diff of internal/auth/refresh.go"
    button "Unstage change 2" in region "Diff of internal/auth/refresh.go"
    region "Diff of internal/auth/refresh.go" says "added, line 40, staged"
    region "Diff of internal/auth/refresh.go" says "Partly staged"`,
  "16c-review-seen": `text "You have seen all 9 files."; button "Commit…"`,
  "16-review-find": `search "Find in all files"; searchbox "Find"; button "Next match"; button "Previous match"`,
  "17-go-back-menu": `
    toolbar "Message actions" in article "You, 14:02"; button "Go back to here" [aria-keyshortcuts=Z]
    menu "Go back to here"; menuitem "Go back to here 9 files will be restored, and this message and the 4 below it will be set aside"
    menuitem "Only the files 9 files will be restored, and the conversation stays as it is"
    menuitem "Only the conversation This message and the 4 below it will be set aside, and the files stay as they are"
    menuitem "Start a new chat from here Nothing in this chat changes"`,
  "17-go-back-blocked": `
    menuitem "Go back to here Another chat is working in this folder." [aria-disabled=true]`,
  "17-go-back-sheet": `
    dialog "Go back to here?" says "5 messages will be set aside"; radiogroup "internal/auth/refresh.go"
    button "Compare internal/auth/refresh.go"; button "Go back and restore 2 files"`,
  "17d-undo-went-back": `
    status "Went back to 14:02" says "9 files restored, 5 messages set aside"
    button "Bring everything back"; button "Show set-aside messages"`,
  "17d2-set-aside": `dialog "Set-aside messages"; button "Bring back" in dialog "Set-aside messages"`,
  "17d3-versions": `
    group "Version 2 of 3" says "2/3"; button "Previous version"; button "Next version"
    button "Try again with another model" [aria-haspopup=true]`,
  "17d4-editing": `status "" says "Editing your message from 14:20"; button "Cancel editing"`,
  "04f-inspector-put-back": `
    button "Undo the change to internal/auth/refresh.go"; button "Redo the change to internal/auth/refresh.go"`,
  "22-copilot-sessions": `
    main "Copilot sessions"; heading "Copilot sessions"; searchbox "Search Copilot sessions"
    status "Result count" says "9 sessions, 1 already in VoxPilot"; button "Folder: All folders"; button "Date: Any time"
    no button "Agent: All agents"; region "Sessions"; heading "Today" in region "Sessions"
    heading "Yesterday" in region "Sessions"; heading "Earlier this month" in region "Sessions"
    button "Move the rate limiter to Redis, open in a terminal" [aria-current=true]; button "why is ci red on main"
    button "Split the invoice service, damaged"; button "Explain this repo to a new hire, in VoxPilot"
    button "Prototype the importer, folder not found"; region "Preview" says "38 messages, 11 files changed"
    article "Your first message"; article "The last answer"; button "Fork" [aria-keyshortcuts=F] in region "Preview"
    button "Continue here" [aria-keyshortcuts=Enter] in region "Preview"
    text "Last message 13:48, from a terminal (tty 3)"`,
  "22-copilot-sessions-narrow": `region "Sessions"; no region "Preview"; button "Show sidebar"`,
  "22-sessions-page-narrow": `
    region "Preview"; button "Back to the list" in region "Preview"; no region "Sessions"; button "Continue here"`,
  "22-sessions-known": `button "Open chat" in region "Preview"; no button "Fork"; no button "Continue here"`,
  "22-sessions-homes": `
    button "Agent: All agents" [aria-expanded=true]; option "Copilot CLI"; option "Qwen"`,
  "22-sessions-many": `status "Result count" says "Counting messages… 5,000 sessions, 556 already in VoxPilot"`,
  "22-sessions-empty": `text "No sessions on this computer yet"; text "Sessions that you start in a terminal with copilot appear here."`,
  "22-sessions-none": `button "Clear filters"; text "No session matches “kubernetes”. Try fewer words or different filters."`,
  "22-sessions-partly": `status "" says "Some sessions may be missing."`,
  "22c-session-rescue": `
    dialog "Rescue “Split the invoice service”" says "its file ends in the middle of an entry"
    text "You get a new session with everything up to 19 Nov, 18:19."; text "cut off, 212 B"
    button "Show the damaged part" [aria-expanded=false]; button "Cancel"; button "Rescue a copy"`,
  "22c-session-rescue-part": `
    button "Hide the damaged part" [aria-expanded=true]; region "Damaged part" says "Line 1,874"`,
  "22b-session-open-elsewhere": `
    status "Session from another program" says "Continued from a terminal, 38 messages"
    alert "Also open in a terminal" says "This session is also open in a terminal."
    button "Take over" in alert "Also open in a terminal"; button "Fork" in alert "Also open in a terminal"
    button "Keep reading" in alert "Also open in a terminal"; button "Attach image" [disabled]; button "Send" [disabled]
    textbox "Message" [placeholder=Read-only while the terminal uses this session]`,
  "22b-session-closing": `button "Waiting for the terminal to close…" [aria-busy=true]; button "Fork" [aria-disabled=true]`,
  "22b-session-stayed": `
    alert "Also open in a terminal" says "The terminal didn't close. It may still be busy."
    no button "Take over"; button "Fork"; button "Keep reading"`,
  "22b-session-program-narrow": `
    alert "Also open in another program" says "This session is also open in another program (node)."
    textbox "Message" [placeholder=Read-only while another program uses this session]`,
  "22b-session-keep-reading": `status "Also open in a terminal"; button "Show options"; no button "Take over"`,
  "22d-session-reading": `
    group "Reading the session" says "Reading the session, 42%"; progressbar "Reading the session" [aria-valuenow=42]
    text "84 MB of 200 MB"; button "Cancel" in group "Reading the session"
    textbox "Message" [placeholder=You can send messages once the session has been read]`,
  "22d-session-reading-failed": `
    alert "The session wasn't read" says "Couldn't read the session."; button "Try again"; button "Delete chat"`,
  "25c2-settings-sandbox-unavailable": `button "Copy command"; switch "Use the sandbox in new chats" [disabled]`,
  "25c4-settings-sandbox-invalid": `textbox "Add a site" [aria-invalid=true]`,
  "25a-sandbox-first-run": `switch "Run commands in a sandbox" [checked]; button "Start"`,
  "06c6-settings-trusted": `
    heading "Trusted folders"; table "Trusted folders" says "4 items"
    button "Remove trust: ~/code/harbor-web"; button "Remove trust: ~/code/orbit-api"`,
};
