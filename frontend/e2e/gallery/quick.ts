// Screens of the quick prompt, which is a separate page.

import type { Page } from "playwright-core";
import type { QuickCommand, QuickView } from "../../src/state/types";
import type { Shot } from "./shot";

const code = { folder: "/home/anna/code/orbit-api", name: "orbit-api", place: "~/code" };

const shows: QuickView = {
  text: "Why does the upload test fail only on Fridays? Look at the last five failed runs",
  targets: [
    code,
    { ...code, chatId: "flaky", title: "Flaky upload test", state: "crashed" },
    { ...code, chatId: "token", title: "Fix token refresh race", state: "running" },
  ],
  answerers: [{ name: "GitHub Copilot" }, { mainId: "o", name: "GPT-4.1", provider: "OpenAI" }],
  mainId: "o",
  mode: "ask",
  theme: "system",
  contrast: "system",
  motion: "reduced",
  textSize: "normal",
};

const order = (page: Page, what: QuickCommand) =>
  page.evaluate(
    (said) => (window as unknown as { galleryBatch: (order: unknown) => void }).galleryBatch(said),
    what,
  );

const shot = (name: string, show: Partial<QuickView>, act?: Shot["act"]): Shot => ({
  name,
  path: "/quick.html",
  size: [680, 300],
  app: [],
  act: async (page) => {
    await order(page, { show: { ...shows, ...show } });
    await act?.(page);
  },
});

export const shots: Shot[] = [
  shot("07-quick-prompt", {}),
  shot("07-quick-prompt-empty", { text: "" }),
  shot("07-quick-prompt-first", { text: "Hello", targets: [], answerers: [] }),
  shot("07-quick-prompt-failed", {}, (page) =>
    order(page, { failed: "The folder /home/anna/code/orbit-api doesn't exist." }),
  ),
  shot("07-quick-prompt-states", {
    text: `${"A longer text, line after line.\n".repeat(8)}The end`,
    targets: [
      {
        ...code,
        chatId: "a",
        title: "Rename billing webhooks in every service that still uses the old names",
        state: "waiting",
      },
      { ...code, chatId: "b", title: "Sign in", state: "signin" },
      { ...code, chatId: "c", title: "Bundle size audit", state: "unread" },
      { ...code, chatId: "d", title: "Idle", state: "" },
    ],
  }),
  shot("07-quick-prompt-picker", {}, async (page) => {
    await page.getByRole("button", { name: "Permissions: Ask first" }).click();
    await page.getByRole("listbox", { name: "Permissions" }).waitFor();
  }),
];
