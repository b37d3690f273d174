// Every part of the window that the design names is found by its role and its
// exact name, on the screen of the gallery that shows it, in the state that the
// screen is about. What people who hear the window work with is what is asserted
// here; that axe finds nothing says only that no rule is broken.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { openGallery } from "./gallery/gallery.mjs";

const gallery = await openGallery();
after(() => gallery.close());

/** What a screen of the gallery shows: `role "name"`, and where it says so, `[attribute=value]`. */
const screens = {
  "01-chat-streaming": `
    navigation "Chats"; button "New chat"; button "Search"; button "Hide sidebar"; button "Settings"
    button "Account: octocat"; region "orbit-api"; region "harbor-web"
    link "Fix token refresh race, running" [data-state=running]
    link "Rename billing webhooks, new reply" [data-state=unread]
    link "Flaky upload test, failed" [data-state=failed]
    link "Bundle size audit" [data-state=idle]
    main "Fix token refresh race"; heading "Fix token refresh race"
    button "Connection: Connected" [data-state=connected]; button "Inspector" [aria-expanded=false]
    button "Chat actions"; log "Transcript" [aria-live=off]
    article "You, 14:02"; article "VoxPilot, 14:02"
    group "Copilot [auth-bug-fix]" [data-state=done]; group "Copilot [refactor-logger]" [data-state=running]
    button "Stop refactor-logger"; list "Plan"; list "Tool calls"
    button "Search \\"log.Default(\\", completed" [data-status=completed]
    button "Edit internal/log/logger.go, completed" [data-status=completed]
    button "Run go build ./..., in progress" [data-status=in_progress]
    region "Copilot output"; form "Composer"; textbox "Message"; button "Attach image"; button "Mention file"
    button "Commands"; button "Mode: Agent"; button "Model: GPT-4.1"; button "Permissions: Ask first"
    button "Context: 38% used"; button "Queue"; button "Stop"`,
  "01e-practice": `link "Say hello, practice"`,
  "02c-sidebar-needs-you": `
    link "Rename billing webhooks, needs you" [data-state=attn]; button "1 other chat needs you"`,
  "02-permission": `
    group "Copilot [auth-bug-fix]" [data-state=waiting]
    button "Edit internal/auth/refresh.go, pending" [data-status=pending]
    group "Permission request: Edit internal/auth/refresh.go"; region "Proposed change to internal/auth/refresh.go"
    button "Allow once" [aria-keyshortcuts=Control+Shift+Enter]; button "Always allow"
    button "Reject" [aria-keyshortcuts=Control+Shift+Backspace]`,
  "02b-permission-command": `
    group "Permission request: Run a command"; region "Command"; button "Allow once"; button "Reject"
    button "Edit internal/hooks/events.go, completed"; button "Move hooks/invoice.go to hooks/billing.go, completed"`,
  "02d-inbox": `button "All requests" [aria-expanded=true]; list "Requests that wait for you"`,
  "03a-reconnect-restored": `
    status "Session restored"; alert "Last message may be incomplete"; button "Ask Copilot to continue"
    button "Show changes so far"; button "Dismiss"; button "Send"
    group "Copilot [refactor-logger]" [data-state=interrupted]`,
  "03b-reconnect-lost": `
    alert "Session could not be restored"; button "Hide what Copilot was told"; button "Copy details"`,
  "03c-reconnect-sign-in": `
    alert "Sign in needed"; button "Sign in to GitHub"; button "Connection: Sign in needed" [data-state=signin]`,
  "03d-reconnecting": `
    status "Reconnecting"; button "Reconnect now"; button "Show log"
    button "Connection: Reconnecting…" [data-state=reconnecting]`,
  "04-inspector-changes": `
    complementary "Inspector"; tablist "Inspector"; tab "Changes" [aria-selected=true]
    tab "Sessions" [aria-selected=false]; tab "Terminal"; tab "Protocol"; tabpanel "Changes"
    button "Close inspector"; tree "Changed files"
    treeitem "internal/auth/refresh.go, 31 added, 6 removed" [aria-selected=true]
    treeitem "internal/log/global.go, 0 added, 22 removed" [aria-selected=false]
    region "Diff of internal/auth/refresh.go"; button "Open in editor"; button "Copy message"; button "Try again"`,
  "04b-inspector-sessions": `
    tabpanel "Sessions"; list "Copilot sessions"; button "Show in chat"; button "Restart Copilot"`,
  "04b2-inspector-needs-you": `button "Show request"`,
  "04b6-inspector-processes": `table "Copilot processes"`,
  "04c-inspector-terminal": `
    tablist "Terminals"; region "Terminal output: go test ./..."; button "Stop command"; button "Copy output"`,
  "04d-inspector-protocol": `
    table "Protocol log"; searchbox "Filter messages"; button "Pause log"; button "Save log"`,
  "05-first-run": `
    list "Setup"; group "Sign-in code 7K4P-QX2M"; button "Copy code and open GitHub"; button "Copy code"
    status "Sign-in status"; button "Set up later"; button "Start" [disabled]`,
  "05b-first-run-cli-missing": `
    button "Check again"; button "Choose file…"; button "Copy command"; list "Setup"`,
  "05c-first-run-folder": `
    button "Choose another folder…"; button "Start" [enabled]`,
  "06a-settings-account": `
    navigation "Settings"; button "Back to chats"; link "Account" [aria-current=page]; link "Agent"; link "Permissions"
    link "Appearance"; link "Shortcuts"; button "Sign out"; button "Check now"; combobox "Provider"; combobox "Model"
    textbox "Server address"`,
  "06b-settings-agent": `
    textbox "Program"; textbox "Session folder"; switch "Restore sessions when a chat opens"
    combobox "If a session cannot be restored"; combobox "Reconnect attempts"`,
  "06c-settings-permissions": `
    radiogroup "Default permission"; radio "Ask first" [checked]; radio "Allow edits" [unchecked]
    switch "Always ask outside the folder"; table "Permission rules"; button "Remove rule: go test ./..."
    button "Remove all rules"`,
  "06d-settings-appearance": `
    radiogroup "Theme"; radio "System" [checked]; radio "Light" [unchecked]; radio "Dark" [unchecked]
    radiogroup "Contrast"; radiogroup "Motion"; combobox "Text size"
    switch "Collapse Copilot blocks when they finish"; switch "Show thoughts"`,
  "06e-settings-shortcuts": `heading "Shortcuts"; link "Shortcuts" [aria-current=page]`,
  "09-new-chat": `
    main "New chat"; button "Folder: orbit-api"; region "Start from"; region "Recent in this folder"`,
  "10-narrow": `button "Show sidebar"; main "Fix token refresh race"`,
  "10b-narrow-sidebar": `navigation "Chats"; button "Hide sidebar"`,
  "10d-narrow-inspector": `complementary "Inspector"; button "Close inspector"`,
  "10e-narrow-settings": `navigation "Settings"; button "Back to chats"; link "Account" [aria-current=page]`,
  "11-command-palette": `
    dialog "Command palette"; combobox "Type a command or the name of a chat" [aria-expanded=true]; listbox "Results"`,
  "12-search": `
    main "Search"; searchbox "Search all chats"; button "Clear search"; region "Search results"; region "Preview"
    status "Result count"; button "Open chat"`,
  "12c-search-none": `button "Clear filters"`,
  "13-states": `
    button "Thought for 6 s"; button "Read internal/auth/refresh.go, completed"
    button "Edit internal/log/logger.go, completed" [aria-expanded=true]
    button "Delete internal/log/global.go, completed"; button "Move hooks/invoice.go to hooks/billing.go, completed"
    button "Search s.cache[, completed"; button "Run go test ./internal/auth, completed"
    button "Run go vet ./..., failed" [data-status=failed]; button "Edit deploy/prod.yaml, failed" [data-status=failed]`,
  "13-failed": `button "Try again"; button "Copy details"`,
  "13-blocks-side-by-side": `
    group "Copilot [auth-bug-fix]" [data-state=waiting]; group "Copilot [refactor-logger]" [data-state=waiting]`,
  "13-blocks-ended": `
    group "Copilot [docs-update]" [data-state=done]; group "Copilot [upload-flake]" [data-state=failed]
    group "Copilot [release-notes]" [data-state=stopped]; button "Try again"; button "Copy details"`,
  "13-blocks-long": `button "Jump to latest"`,
  "14-cli-missing": `alert "Copilot CLI not found"; button "Check again"; button "Choose file…"`,
  "14-cli-too-old": `alert "Copilot CLI too old"; button "Check again"; button "Copy command"`,
  "14-no-access": `alert "No Copilot access"; button "Use another account"; button "Check again"`,
  "14-offline": `status "Offline"; button "Connection: Offline" [data-state=offline]`,
  "14-locked": `alert "Keychain locked"; button "Try again"`,
  "14-folder-gone": `alert "Folder gone"; button "Locate folder…"`,
  "14-full": `alert "Chat almost full"; button "Dismiss"`,
  "14-paused": `alert "Rate limited"; button "Change model"; button "Cancel"`,
  "14-answer-stopped": `alert "Answer stopped"; button "Try again"; button "Copy details"`,
  "14-gave-up": `alert "Copilot could not be restarted"; button "Try again"; button "Show log"`,
  "15-files": `listbox "Files"; textbox "Message" [aria-activedescendant]`,
  "15-commands": `listbox "Command list"; button "Permissions: Allow everything"`,
  "15-menu-permissions": `listbox "Permissions"; button "Permissions: Ask first" [aria-expanded=true]`,
  "15-menu-mode": `listbox "Mode"; button "Mode: Agent" [aria-expanded=true]`,
  "15-menu-model": `listbox "Model"; button "Model: GPT-4.1" [aria-expanded=true]`,
  "15-context": `dialog "Context"`,
  "15-queue": `
    list "Attachments"; button "Remove signed-out.png"; list "Queued messages"; button "Edit queued message 1"
    button "Remove queued message 1"; button "Context: 86% used"`,
  "15-wait-bar": `status "Copilot is waiting for you"; button "Show request"`,
  "16-find": `searchbox "Find"`,
};

/** The rows of a screen, as [role, name, attribute, value]. */
function rowsOf(text) {
  const row = /([a-z]+) "((?:[^"\\]|\\.)*)"(?: \[([a-z-]+)(?:=([^\]]*))?\])?/g;
  return [...text.matchAll(row)].map(([, role, name, attribute, value]) => ({
    role,
    name: name.replaceAll('\\"', '"'),
    attribute,
    value,
  }));
}

/** The states that are no attribute but what the browser says of a control. */
const states = { disabled: "isDisabled", enabled: "isEnabled", checked: "isChecked" };

/** wrong is what is not as a row says, "" where all is. */
async function wrong(page, { role, name, attribute, value }) {
  const all = await page.getByRole(role, { name, exact: true }).all();
  const visible = [];
  for (const each of all) if (await each.isVisible()) visible.push(each);
  const what = `${role} "${name}"`;
  if (visible.length === 0) return all.length > 0 ? `${what} is out of sight` : `there is no ${what}`;
  if (!attribute) return "";
  const found = [];
  for (const each of visible) {
    if (attribute === "unchecked") found.push(!(await each.isChecked()));
    else if (states[attribute]) found.push(await each[states[attribute]]());
    else {
      const has = await each.evaluate(
        // A state is that of the part it stands in; what a control says of itself is its own.
        (element, wanted) =>
          (wanted.startsWith("data-") ? element.closest(`[${wanted}]`) : element)?.getAttribute(wanted) ??
          null,
        attribute,
      );
      if (value === undefined ? has !== null : has === value) return "";
      found.push(has);
    }
  }
  return found.includes(true) ? "" : `${what} has ${attribute} ${found.join(", ")}, not ${value ?? "set"}`;
}

describe("what the design names is found by role and name", { concurrency: 2 }, () => {
  for (const [name, text] of Object.entries(screens)) {
    test(name, { timeout: 300_000 }, async () => {
      const shot = gallery.shots.find((each) => each.name === name);
      assert.ok(shot, `the gallery has no ${name}`);
      const rows = rowsOf(text);
      assert.ok(rows.length > 0, "nothing is looked for");
      const problems = [];
      await gallery.withShot(
        shot,
        { colorScheme: "light" },
        (what) => problems.push(what),
        async (page) => {
          for (const row of rows) problems.push(await wrong(page, row));
        },
      );
      assert.deepEqual(problems.filter(Boolean), []);
    });
  }
});
