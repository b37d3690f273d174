// Screens at each text size, in the smallest possible window.

import {
  account,
  cli,
  folders,
  narrow,
  openChat,
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
const chat = { localStorage: openChat("refresh"), chats: { refresh: [] }, folders };
const page =
  (name: string): Shot["act"] =>
  async (each) => {
    await each.keyboard.press("Control+,");
    await each.getByRole("link", { name, exact: true }).click();
  };

export const shots: Shot[] = [
  { name: "17a-text-small", app: large("small"), ...chat },
  { name: "17b-text-large", app: large("large"), ...chat },
  { name: "17c-text-larger", app: large("larger"), ...chat },
  { name: "17d-text-larger-settings", app: large("larger"), act: openSettings("Appearance") },
  ...["Account", "Agent", "Permissions", "Appearance", "Shortcuts", "Doctor", "About"].map(
    (name): Shot => ({
      name: `17e-narrow-larger-${name.toLowerCase()}`,
      app: large("larger"),
      size: narrow,
      act: page(name),
    }),
  ),
  { name: "17f-narrow-larger-chat", app: large("larger"), size: narrow, ...chat },
  {
    name: "17g-narrow-larger-sidebar",
    app: large("larger"),
    size: narrow,
    ...chat,
    act: (each) => each.getByRole("button", { name: "Show sidebar" }).click(),
  },
  { name: "17h-narrow-larger-new-chat", app: large("larger"), size: narrow, folders },
  {
    name: "17i-narrow-larger-first-run",
    app: [
      cli(),
      storage,
      settings({ setupDone: false, textSize: "larger" }),
      account({ state: "signed_out", login: "" }),
    ],
    size: narrow,
  },
];
