// Screens of VoxPilot updates, on the About page and in the sidebar.

import type { Event, Update } from "../../src/state/types";
import { message } from "./message";
import { home } from "./shell";
import { ago, type Shot } from "./shot";

const notes = `Answers come faster, and less is lost.

- **Sessions** are restored side by side: ten of them take as long as one. [Read how](https://github.com/voxpilot/voxpilot).
- \`voxpilot ask\` answers in a terminal.

## Put right

1. A chat with very long lines no longer stands still.
2. Images that were dropped twice are sent once.
`;

const update = (more: Partial<Update> & Pick<Update, "state">): Event => ({
  update: { checkedAt: ago(42), ...more },
});
const newer = { version: "1.2.0", notes, size: 14_600_000 };

const about = (name: string, more: Partial<Update> & Pick<Update, "state">, size?: Shot["size"]): Shot => ({
  name: `06h-updates-${name}`,
  app: [...home, update(more)],
  size,
  act: async (page) => {
    await page.keyboard.press("Control+,"); // a narrow window shows no Settings button
    await page.getByRole("link", { name: "About", exact: true }).click();
    await page.getByRole("region", { name: "Updates" }).scrollIntoViewIfNeeded();
  },
});

export const shots: Shot[] = [
  about("off", { state: "off", checkedAt: undefined }),
  about("idle", { state: "idle", checkedAt: undefined }),
  about("checking", { state: "checking" }),
  about("none", { state: "none" }),
  about("available", { state: "available", ...newer }),
  about("available-narrow", { state: "available", ...newer }, [720, 480]),
  about("downloading", { state: "downloading", ...newer, got: 5_200_000 }),
  about("ready", { state: "ready", ...newer, got: newer.size }),
  about("image", {
    state: "ready",
    ...newer,
    message: message(
      "Open the disk image, quit VoxPilot, and drag the new version to the Applications folder.",
    ),
  }),
  about("package", { state: "elsewhere", ...newer }),
  about("command", {
    state: "elsewhere",
    ...newer,
    command: "sudo apt install /home/anna/.local/share/VoxPilot/updates/voxpilot-1.2.0.deb",
  }),
  about("failed", {
    state: "failed",
    ...newer,
    message: message(
      "%s %s",
      message("Couldn't download VoxPilot %s.", "1.2.0"),
      message("The disk is full. Free up some space, then try again."),
    ),
  }),
  { name: "01h-update-in-sidebar", app: [...home, update({ state: "available", ...newer })] },
  {
    name: "10k-narrow-update-in-sidebar",
    size: [720, 480],
    app: [...home, update({ state: "ready", ...newer })],
    act: async (page) => page.getByRole("button", { name: "Show sidebar" }).click(),
  },
  {
    name: "01i-data-was-migrated",
    app: [
      ...home.filter((event) => !event.storage),
      {
        storage: {
          state: "ok",
          path: "/home/anna/.local/share/VoxPilot/voxpilot.db",
          backup: "/home/anna/.local/share/VoxPilot/voxpilot-before-20251120-140301.123-v5.db",
        },
      },
    ],
  },
];
