// Takes the README's pictures of the real app: the real Go backend, the real Copilot CLI, and real file
// changes. Only the models' answers are scripted.
//
//   build/withx.sh node --test frontend/e2e/readme.mjs
//
// The pictures are written to docs/images.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startGitHub } from "./github.mjs";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import {
  answerRequest,
  renderedText,
  requestCard,
  send,
  startChat,
  transcript,
  useModel,
  waitForIdle,
  waitForRunning,
  waitForText,
} from "./page.mjs";

const images = fileURLToPath(new URL("../../docs/images", import.meta.url));

const before = `package auth

import (
	"context"
	"fmt"
)

// Refresh exchanges the refresh token of an account for a new one.
func (s *Store) Refresh(ctx context.Context, id string) (Token, error) {
	s.log.Info("refresh", "account", id)
	tok, err := s.client.Exchange(ctx, id)
	if err != nil {
		return Token{}, fmt.Errorf("refresh %s: %w", id, err)
	}
	s.cache[id] = tok
	return tok, nil
}
`;
const slow = `	tok, err := s.client.Exchange(ctx, id)
	if err != nil {
		return Token{}, fmt.Errorf("refresh %s: %w", id, err)
	}
	s.cache[id] = tok
	return tok, nil
`;
const shared = `	// One exchange per account: late callers wait for the first.
	tok, err, _ := s.flight.Do(id, func() (any, error) {
		return s.client.Exchange(ctx, id)
	})
	if err != nil {
		return Token{}, fmt.Errorf("refresh %s: %w", id, err)
	}
	s.cache.Put(id, tok.(Token))
	return tok.(Token), nil
`;
const logger = `package log

import "log/slog"

var log = slog.Default()

// Info writes a line.
func Info(text string, args ...any) {
	log.Info(text, args...)
}
`;
const passedIn = `// Logger writes the lines of one part of the server.
type Logger struct{ to *slog.Logger }

// New is a Logger that writes to the handler of main.go.
func New(to *slog.Logger) Logger {
	return Logger{to: to}
}

// Info writes a line.
func (l Logger) Info(text string, args ...any) {
	l.to.Info(text, args...)
}
`;
const files = {
  "internal/auth/refresh.go": before,
  "internal/log/logger.go": logger,
  "go.mod": "module orbit\n\ngo 1.26\n",
};

const wish =
  "Two tabs refresh the same token and one gets signed out. Fix it in internal/auth/refresh.go, then replace the global logger with one we pass in.";
const plan =
  "Each caller exchanges the refresh token on its own, so the slower tab presents one that was already rotated. I am giving the fix and the logger to separate Copilot sessions.";
const others = {
  "Why does the upload test time out?":
    "`TestUploadResume` waits for chunk 4, which the fake server drops after 3 s. Raise its limit, or send the chunk twice.",
  "Rename the billing webhooks": "Done: nine files, and the old names work until March.",
  "How large is the bundle, and why?": "412 KB, of which 180 KB are three date libraries. One would do.",
};

/** play returns the model's next answer for a prompt, the tool results so far and the available tools. */
function play(asked, results, tools) {
  const agent = [...tools].find((name) => /(^|-)copilot_agent$/.test(name));
  const main = agent && !tools.has("bash");
  for (const [question, reply] of Object.entries(others)) if (asked.includes(question)) return { say: reply };
  if (asked.includes(wish) && main) {
    if (results.length === 0) {
      return {
        say: plan,
        calls: [
          {
            name: agent,
            args: {
              session_name: "auth-bug-fix",
              prompt: "Make concurrent refreshes of one account share a single exchange.",
            },
          },
        ],
      };
    }
    if (results.length === 1) {
      return {
        say: "Fixed: calls for the same account now share one exchange. Starting on the logger.",
        calls: [
          {
            name: agent,
            args: {
              session_name: "refactor-logger",
              prompt: "Replace the package-level logger with a Logger that is passed in from main.",
            },
          },
        ],
      };
    }
    return {
      say: "Both are done. The logger is passed in from `main.go`; start with `refresh.go`, where the behavior changed.",
    };
  }
  const change = (path, from, to, last) =>
    [
      { calls: [{ name: "view", args: { path } }] },
      { calls: [{ name: "edit", args: { path, old_str: from, new_str: to } }] },
      { say: last },
    ][results.length];
  if (!tools.has("bash")) return undefined;
  const path = (name) => join(folder, name);
  if (asked.includes("share a single exchange"))
    return change(path("internal/auth/refresh.go"), slow, shared, "One exchange per account now.");
  if (asked.includes("package-level logger")) {
    const from = logger.slice(logger.indexOf("var log"));
    return change(path("internal/log/logger.go"), from, passedIn, "The logger is passed in.");
  }
  return undefined;
}

let folder = "";

for (const colorScheme of ["light", "dark"]) {
  test(`the pictures, ${colorScheme}`, async (t) => {
    const model = await startModel({ play, models: ["qwen3-coder:30b"] });
    t.after(() => model.close());
    const github = await startGitHub(t);
    const token = `gho_${"picture".repeat(5)}`;
    await github.grant(token, "octocat");
    const env = await start(t, {
      colorScheme,
      scale: 1.5,
      env: { VOXPILOT_GITHUB_URL: github.url, GH_TOKEN: token },
      prepare: async ({ home }) => {
        folder = join(home, "code/orbit-api");
        await mkdir(join(home, "code/harbor-web"), { recursive: true });
        for (const [name, text] of Object.entries(files)) {
          await mkdir(dirname(join(folder, name)), { recursive: true });
          await writeFile(join(folder, name), text);
        }
      },
    });
    const { page } = env;
    const picture = async (name) => {
      // The test's home isn't recognized as a home directory. For real ones the app shows “~”.
      await page.evaluate((home) => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let at = walker.nextNode(); at; at = walker.nextNode()) {
          if (at.data.includes(home)) at.data = at.data.replaceAll(home, "~");
        }
      }, env.home);
      await page.waitForFunction(() => !document.documentElement.hasAttribute("data-waits"));
      await page.screenshot({
        path: join(images, `${name}-${colorScheme}.png`),
        animations: "disabled",
        caret: "hide",
      });
    };
    await page.getByRole("button", { name: "Continue as octocat" }).waitFor();
    await useModel(page, { ...model, name: "Ollama", model: "qwen3-coder:30b" });
    await page.getByRole("button", { name: "Set up later" }).click();
    const asks = Object.keys(others);
    for (const [n, question] of asks.entries()) {
      if (n > 0) await page.getByRole("button", { name: "New chat", exact: true }).click();
      await startChat(page, n === 2 ? join(env.home, "code/harbor-web") : folder, question, "Ollama");
      await waitForText(page, others[question].replaceAll("`", "").slice(0, 20));
      await waitForIdle(page);
    }
    await page.getByRole("button", { name: "New chat", exact: true }).click();
    await page.getByRole("button", { name: /^Folder: / }).click();
    await page.getByRole("combobox", { name: "Folder path" }).fill(folder);
    await page.getByRole("button", { name: "Use this folder" }).click();
    await page.getByRole("button", { name: /^Model: / }).click();
    await page.getByRole("option", { name: /Ollama answers/ }).click();
    await send(page, wish);
    await waitForRunning(page);
    await page.keyboard.press("F2");
    await page.keyboard.insertText("Fix token refresh race");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Fix token refresh race" }).waitFor();
    await answerRequest(page, "Allow once");
    await page.getByRole("group", { name: /^Permission request: Edit internal\/log/ }).waitFor();
    await waitFor(
      async () =>
        (await transcript(page).locator("details.copilot-block[data-state=done][open]").count()) === 0,
      "finished blocks are folded",
    );
    await page.mouse.move(640, 20);
    await waitFor(
      async () => /Logger/.test(await renderedText(requestCard(page))),
      "the card shows the change",
    );
    await picture("chat");
    await answerRequest(page, "Allow once");
    await waitForText(page, "Both are done.");
    await waitForIdle(page);
    await waitFor(
      async () => (await transcript(page).locator("details.copilot-block[open]").count()) === 0,
      "all is folded",
    );
    await page.getByRole("button", { name: "Inspector" }).click();
    await page.getByRole("region", { name: /^Diff of internal/ }).waitFor();
    await page.mouse.move(640, 20);
    await picture("changes");
  });
}
