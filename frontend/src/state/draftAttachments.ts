// What goes with the first message of a chat that is not made yet. It outlives
// the screen, and the page as far as the app still has it.

import { createSignal } from "solid-js";
import { actions } from "./actions";
import { placesOf, written } from "./composer";
import type { Attachment } from "./types";

const key = "voxpilot.new-with";

function kept(): Attachment[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]");
  } catch {
    return [];
  }
}

const [all, setAll] = createSignal(kept());

function set(now: Attachment[]): void {
  setAll(now);
  try {
    sessionStorage.setItem(key, JSON.stringify(now));
  } catch {
    // Without storage it is gone with the page.
  }
}

/** What is on its way with a message that is being sent. */
let going: readonly Attachment[] = [];

function forget(attachment: Attachment): void {
  if (attachment.contentId && !going.includes(attachment)) actions.forgetImage(attachment.contentId);
}

export const draftAttachments = {
  /** What goes with a text in a folder; a mention does while its name stands there. */
  with: (text: string, folder: string): Attachment[] =>
    all().filter((one) => one.kind !== "mention" || placesOf(text, written(one, folder)).length > 0),
  add: (attachment: Attachment): void => {
    const isSame = (one: Attachment) =>
      one.kind === attachment.kind && attachment.path !== undefined && one.path === attachment.path;
    const same = all().filter(isSame);
    set([...all().filter((one) => !isSame(one)), attachment]);
    same.forEach(forget);
  },
  remove: (attachment: Attachment): void => {
    set(all().filter((one) => one !== attachment));
    forget(attachment);
  },
  /** A message is being sent with these: what is taken out meanwhile still goes with it. */
  sending: (now: readonly Attachment[]): void => {
    going = now;
  },
  /** Takes out what has gone with a message. */
  sent: (gone: readonly Attachment[]): void => {
    going = [];
    set(all().filter((one) => !gone.includes(one)));
  },
  /** The message that was being sent has stayed, without what was taken out meanwhile. */
  stayed: (): void => {
    const out = going.filter((one) => !all().includes(one));
    going = [];
    out.forEach(forget);
  },
};
