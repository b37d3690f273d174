// Strings for the permission card: several files, a reason for a rejection, and the risks of a command.

import { count } from "../lib/format";
import type { MarkKind, Protection } from "../state/types";

/**
 * Names of the services that a command publishes to, worded to follow "on". A service that isn't listed keeps its name.
 */
const services = new Map([
  ["Docker", "the container registry"],
  ["Visual Studio Marketplace", "the Visual Studio Marketplace"],
]);

const withContents = (of: string, targets: number) =>
  targets === 1 ? `${of} and everything in it.` : `${of}, including everything in them.`;

const plural = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${count(n)} ${many}`);

/** Descriptions of protected files, worded to follow "this file". */
const protections: Record<Protection, string> = {
  session: "can run code when the next session starts",
  git: "can run code the next time Git runs",
  shell: "can run code when a shell starts",
  keys: "contains SSH or GPG keys or settings",
  app: "contains VoxPilot's own data",
  agent: "contains Copilot's own settings",
};

export const card = {
  requestedBy: (who: string) => `Requested by ${who}`,
  kinds: (edits: number, creates: number, deletes: number) =>
    [
      edits > 0 ? plural(edits, "edit", "edits") : "",
      creates > 0 ? plural(creates, "new file", "new files") : "",
      deletes > 0 ? plural(deletes, "deletion", "deletions") : "",
    ]
      .filter(Boolean)
      .join(", "),
  changeFiles: (n: number) => `Change ${plural(n, "file", "files")}`,
  create: (path: string) => `Create ${path}`,
  verbs: { edit: "Edit", create: "Create", delete: "Delete" },
  file: (verb: string, path: string) => `${verb} ${path}`,
  moreLines: (n: number) => plural(n, "more line", "more lines"),
  showMoreLines: (n: number, path: string) => `Show ${plural(n, "more line", "more lines")} of ${path}`,
  showFile: (path: string) => `Show ${path}`,
  agentText: (who: string) => `Explanation from ${who}`,
  noDeletion: "VoxPilot can't preview what will be deleted.",
  severalOnce: (n: number, unlisted: boolean) =>
    `“Allow once” covers ${unlisted ? `all ${count(n)} files, including those without a preview` : `these ${count(n)} files as shown`}. “Always allow” isn't available when a request changes several files.`,
  deletionOnce: "“Always allow” isn't available for deletions.",
  moveOnce: "“Always allow” isn't available for moves.",
  harmOnce:
    "Because of the risks above, “Allow once” has no keyboard shortcut and “Always allow” isn't available.",
  /** Label of the option that allows a request permanently, if the agent offers no other way to allow it. */
  allowFromNowOn: "Allow and don't ask again",
  onlyAlways: (who: string) =>
    `${who} doesn't let you allow this just once. If you allow it, ${who} won't ask about similar actions again, so VoxPilot can't check them against your rules.`,
  /**
   * Labels for the folder that a command runs in, if it isn't the chat's, and for the variables that the
   * command sets.
   */
  runsIn: "Runs in",
  variables: "Sets",
  reason: "What should Copilot do instead?",
  rejectAndSend: "Reject and send",
  cancel: "Cancel",
  reasonFact:
    "Your text is sent to Copilot as your next message, and Copilot continues. If you leave the field empty, Copilot stops.",
  /**
   * Prompt for the reason for a rejection, and a note about it. They are used for agents other than
   * Copilot, which might not end their turn after a rejection.
   */
  reasonOf: (who: string) => `What should ${who} do instead?`,
  reasonFactOf: (who: string) => `Your text is sent to ${who} as your next message.`,
  /** Reasons why an edit requires permission in every mode. */
  protected: (why: Protection, several: boolean) =>
    several
      ? `Includes a protected file that ${protections[why]}`
      : `Protected: this file ${protections[why]}`,
  harm: "Risks",
  /**
   * Explanations of the dangerous parts of a command, by kind: the effect, and the possible loss. The
   * argument `of` names the targets, or is "" if they are unknown.
   */
  harms: {
    delete: (of: string, _at: string, files: number, targets: number, canRestore: boolean) => {
      if (canRestore)
        return [files === 1 ? "Deletes:" : "Deletes files:", `${of} (${plural(files, "file", "files")}).`];
      // The target may also be a folder that contains the file.
      if (files === 1 && targets === 1)
        return ["Permanently deletes:", `${of} (1 file). Undo can't restore it.`];
      const count = files > 0 ? plural(files, "file", "files") : "";
      const what = of && count ? `${of} (${count})` : of || count;
      return what === ""
        ? ["Permanently deletes files.", "Undo can't restore them."]
        : ["Permanently deletes files:", `${what}. Undo can't restore them.`];
    },
    overwrite: (of: string, at: string) => [
      `Overwrites ${of || "a branch"} on ${at || "the remote"}.`,
      "Remote commits that you don't have on this computer will be lost.",
    ],
    script: (of: string) => [
      "Runs a script from the web.",
      `VoxPilot can't see what ${of || "the server"} sends.`,
    ],
    discard: () => ["Discards uncommitted changes.", ""],
    history: () => ["Rewrites the repository's history.", "The original commits may be lost."],
    admin: () => ["Runs as administrator.", "It can change anything on this computer."],
    rights: (of: string, _at: string, _files: number, targets: number) =>
      of === ""
        ? ["Changes file permissions.", ""]
        : ["Changes file permissions:", withContents(of, targets)],
    owner: (of: string, _at: string, _files: number, targets: number) =>
      of === ""
        ? ["Changes the owner or group of files.", ""]
        : ["Changes the owner or group of files:", withContents(of, targets)],
    disk: (of: string) => [
      "Writes directly to a disk.",
      of === "" ? "Its contents will be lost." : `The contents of ${of} will be lost.`,
    ],
    publish: (_of: string, at: string) => [
      `Publishes or changes data on ${services.get(at) ?? (at || "the remote")}.`,
      "This affects other people immediately, and VoxPilot can't undo it.",
    ],
    unread: () => ["Runs code that VoxPilot can't inspect.", ""],
    outside: (of: string) =>
      of === ""
        ? ["Accesses files outside this chat's folder.", ""]
        : ["Accesses files outside this chat's folder:", `${of}.`],
    unclear: (of: string, _at: string, _files: number, targets: number) => [
      "VoxPilot can't tell what this field of the request does.",
      of === "" ? "" : targets === 1 ? `Value: ${of}.` : `Conflicting values: ${of}.`,
    ],
  } satisfies Record<
    MarkKind,
    (of: string, at: string, files: number, targets: number, canRestore: boolean) => string[]
  >,
  /** The name of a path in a sentence or list of targets. */
  place: (path: string) => (path === "." ? "the current folder" : path === ".." ? "the parent folder" : path),
  and: (names: string[]) =>
    names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`,
} as const;
