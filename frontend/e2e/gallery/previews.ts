// Screens with requests that don't fit on one screen: several files, a diff with very many lines, and
// long lines in a tool row.

import type { Page } from "playwright-core";
import { now, type Shot } from "./shot";
import { root, Story, shot } from "./transcript";

const refresh = `@@ -41,7 +41,9 @@ func (s *Store) Refresh(ctx context.Context, id string) error {
 	token, err := s.cache.Get(ctx, id)
 	if err != nil {
-		return err
+		return fmt.Errorf("the token of %s: %w", id, err)
 	}
+	s.mu.Lock()
+	defer s.mu.Unlock()
 	if token.Fresh(s.now()) {
 		return nil
 	}
`;
const tests = `@@ -0,0 +1,6 @@
+package auth_test
+
+import "testing"
+
+func TestRefreshHoldsTheLock(t *testing.T) {
+}
`;
const hidden = `@@ -1,2 +1,2 @@
 module example.com/orbit
-go 1.25
+go 1.26 // \u202E checked
`;

const several = (unlisted = 0) => {
  const story = new Story().turn({ state: "running", startedAt: now - 18_000 }).session();
  story.user("14:02", "Fix the race when tokens are refreshed, with a test for it.");
  const inside = story.block("auth-bug-fix", now - 18_000, "running");
  const path = `${root}/internal/auth/refresh.go`;
  const edit = story.tool("edit", { path, status: "pending", item: inside });
  const files = [
    { path, body: refresh, added: 3, removed: 1 },
    { path: `${root}/internal/auth/refresh_test.go`, body: tests, added: 6, removed: 0 },
    { path: `${root}/go.mod`, body: hidden, added: 1, removed: 1 },
  ].map(({ body, ...more }, n) => ({
    path: more.path,
    contentId: story.content(edit, "diff", body, { id: `change-${n}`, ...more }).id,
  }));
  for (const [n, body] of [refresh, tests, hidden].entries()) story.contents[`change-${n}`] = body;
  if (unlisted > 0) {
    const names = Array.from(
      { length: unlisted },
      (_, n) => `${root}/internal/codes/table_${n + 1}.go\n`,
    ).join("");
    story.contents.names = names;
    const contentId = story.content(edit, "names", names, { id: "names" }).id;
    return story.ask({
      session: "auth-bug-fix",
      itemId: edit.id,
      path,
      contentId: "change-0",
      files: [...files, { path: "", more: unlisted, contentId }],
    });
  }
  return story.ask({ session: "auth-bug-fix", itemId: edit.id, path, contentId: "change-0", files });
};

/** Number of lines in the long diff. */
const lines = 100_000;
const long = () => {
  const story = new Story().turn({ state: "running", startedAt: now - 18_000 }).session();
  story.user("14:02", "Write the table of all codes again.");
  const path = `${root}/internal/codes/table.txt`;
  const edit = story.tool("edit", { path, status: "pending" });
  const body = Array.from({ length: lines }, (_, n) => `+code ${n + 1} of the table\n`).join("");
  const content = story.content(edit, "diff", `@@ -0,0 +1,${lines} @@\n${body}`, { path, added: lines });
  return story.ask({ itemId: edit.id, path, contentId: content.id, scope: { kind: "edits", folder: root } });
};

/** showAll expands the diff and scrolls to its end. */
async function showAll(page: Page) {
  await page.getByRole("button", { name: /^Show all/ }).click();
  const change = page.getByRole("region", { name: "Proposed change to internal/codes/table.txt" });
  await page.waitForFunction(() => (document.querySelector(".changes")?.scrollHeight ?? 0) > 1e6);
  await change.focus();
  await page.keyboard.press("End");
  await change.getByText(`code ${lines} of the table`).waitFor();
}

/** showNames expands the request's list of the file names that aren't shown at first. */
async function showNames(page: Page) {
  await page.getByRole("button", { name: /^Show all/ }).click();
  const last = page.getByText("table_612.go");
  while ((await last.count()) === 0) {
    await page
      .locator(".changes")
      .last()
      .evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.waitForTimeout(50);
  }
}

const wide = () => {
  const story = new Story().turn().user("14:02", "Say more in the log.");
  const path = `${root}/internal/log/logger.go`;
  const edit = story.tool("edit", { path });
  const said = `	log.Info("${"the token was refreshed and is kept until it ends, ".repeat(8)}")`;
  story.content(edit, "diff", `@@ -1,2 +1,2 @@\n-	log.Info("done")\n+${said}\n }\n`, {
    path,
    added: 1,
    removed: 1,
  });
  return story;
};
const openEdit = async (page: Page) => {
  await page.getByRole("button", { name: /^Edited internal\/log/ }).click();
};

export const shots: Shot[] = [
  shot("02e-permission-files", { story: several(), running: true }),
  shot("02g-permission-many", { story: several(612), running: true }, { act: showNames }),
  shot("10k-narrow-permission-files", { story: several(), running: true }, { size: [720, 480] }),
  shot("02f-permission-long", { story: long(), running: true }, { act: showAll }),
  shot("13g-wide-diff", { story: wide() }, { act: openEdit }),
];
