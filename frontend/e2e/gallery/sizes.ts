// Pictures of the text sizes, in the smallest window that there can be.

import {
  account,
  chatKept,
  cli,
  folders,
  narrow,
  openSettings,
  ready,
  settings,
  sidebarChats,
  storage,
} from "./shell";
import type { Shot } from "./shot";

const large = (textSize: string) => [
  ...sidebarChats,
  cli(),
  storage,
  settings({ textSize }),
  account(),
  ready("refresh"),
];
const chat = { kept: chatKept("refresh"), chats: { refresh: [] }, folders };
const page =
  (name: string): Shot["act"] =>
  async (each) => {
    await each.keyboard.press("Control+,");
    await each.getByRole("link", { name, exact: true }).click();
  };

export const shots: Shot[] = [
  { name: "16a-text-small", app: large("small"), ...chat },
  { name: "16b-text-large", app: large("large"), ...chat },
  { name: "16c-text-larger", app: large("larger"), ...chat },
  { name: "16d-text-larger-settings", app: large("larger"), act: openSettings("Appearance") },
  ...["Account", "Agent", "Permissions", "Appearance", "Shortcuts", "Doctor", "About"].map(
    (name): Shot => ({
      name: `16e-narrow-larger-${name.toLowerCase()}`,
      app: large("larger"),
      size: narrow,
      act: page(name),
    }),
  ),
  { name: "16f-narrow-larger-chat", app: large("larger"), size: narrow, ...chat },
  {
    name: "16g-narrow-larger-sidebar",
    app: large("larger"),
    size: narrow,
    ...chat,
    act: (each) => each.getByRole("button", { name: "Show sidebar" }).click(),
  },
  { name: "16h-narrow-larger-new-chat", app: large("larger"), size: narrow, folders },
  {
    name: "16i-narrow-larger-first-run",
    app: [
      cli(),
      storage,
      settings({ setupDone: false, textSize: "larger" }),
      account({ state: "signed_out", login: "" }),
    ],
    size: narrow,
  },
];
