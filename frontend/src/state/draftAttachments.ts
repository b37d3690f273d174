// Attachments of the first message of a chat that doesn't exist yet. They survive leaving the screen and,
// if the app still has them, a reload.

import { createSignal } from "solid-js";
import { actions } from "./actions";
import { mentionPath, mentionsOf } from "./composer";
import type { Attachment } from "./types";

const key = "voxpilot.new-with";

function load(): Attachment[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]");
  } catch {
    return [];
  }
}

const [all, setAll] = createSignal(load());

function save(now: Attachment[]): void {
  setAll(now);
  try {
    sessionStorage.setItem(key, JSON.stringify(now));
  } catch {
    // Without storage they are lost on reload.
  }
}

/** The attachments of the message being sent. */
let sending: readonly Attachment[] = [];

function forget(attachment: Attachment): void {
  if (attachment.contentId && !sending.includes(attachment)) actions.forgetImage(attachment.contentId);
}

export const draftAttachments = {
  /**
   * Returns the attachments to send with a text in a folder: all except mentions whose name isn't in the
   * text.
   */
  forText: (text: string, folder: string): Attachment[] =>
    all().filter((one) => one.kind !== "mention" || mentionsOf(text, mentionPath(one, folder)).length > 0),
  add: (attachment: Attachment): void => {
    const isSame = (one: Attachment) =>
      one.kind === attachment.kind && attachment.path !== undefined && one.path === attachment.path;
    const same = all().filter(isSame);
    save([...all().filter((one) => !isSame(one)), attachment]);
    same.forEach(forget);
  },
  remove: (attachment: Attachment): void => {
    save(all().filter((one) => one !== attachment));
    forget(attachment);
  },
  /**
   * Records the attachments of the message being sent. They are sent even if the user removes one of them in the
   * meantime.
   */
  sending: (now: readonly Attachment[]): void => {
    sending = now;
  },
  /** Removes the attachments of a sent message. */
  removeSent: (gone: readonly Attachment[]): void => {
    sending = [];
    save(all().filter((one) => !gone.includes(one)));
  },
  /** Called after sending. If the message wasn't sent, discards attachments that the user removed in the meantime. */
  stayed: (): void => {
    const out = sending.filter((one) => !all().includes(one));
    sending = [];
    out.forEach(forget);
  },
};
