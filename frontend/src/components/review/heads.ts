// The headers of files and of changes, built as plain DOM elements. A button's data-act attribute names its action, and
// the screen handles the clicks on all of them in one place.

import type { LucideIcon } from "lucide-solid";
import Check from "lucide-solid/icons/check";
import ChevronRight from "lucide-solid/icons/chevron-right";
import ChevronsDown from "lucide-solid/icons/chevrons-down";
import ChevronsUp from "lucide-solid/icons/chevrons-up";
import ExternalLink from "lucide-solid/icons/external-link";
import GitMergeConflict from "lucide-solid/icons/git-merge-conflict";
import Minus from "lucide-solid/icons/minus";
import Plus from "lucide-solid/icons/plus";
import RefreshCw from "lucide-solid/icons/refresh-cw";
import Undo2 from "lucide-solid/icons/undo-2";
import UnfoldVertical from "lucide-solid/icons/unfold-vertical";
import { messages } from "../../i18n";
import { count, minus, visibleText } from "../../lib/format";
import { type FileView, gapStep } from "../../state/reviewFile";
import { type Staged, stagedIn } from "../../state/reviewStaged";
import { iconElement } from "../ui/Icon";

const t = messages.review;
const { reviewCommit: c, reviewStage: s } = messages;

/** The action of a button in the diff. */
export type Act =
  | "fold"
  | "revertFile"
  | "stageFile"
  | "stage"
  | "viewed"
  | "editor"
  | "newer"
  | "keep"
  | "revert"
  | "up"
  | "down"
  | "all";

type Child = Node | string | undefined | false;

/** make returns an element with the given tag, class and children. */
export function make(tag: string, look: string, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  if (look !== "") element.className = look;
  for (const child of children) if (child) element.append(child);
  return element;
}

function button(look: string, act: Act, name: string, ...children: Child[]): HTMLButtonElement {
  const element = make("button", look, ...children) as HTMLButtonElement;
  element.type = "button";
  element.dataset.act = act;
  element.ariaLabel = name;
  return element;
}

function iconButton(icon: LucideIcon, act: Act, name: string): HTMLButtonElement {
  const element = button("ib sm", act, name, iconElement(icon, "sm"));
  element.title = name;
  return element;
}

/** fileButton returns a button for a whole file. In a narrow window, it shows only its icon. */
function fileButton(icon: LucideIcon, act: Act, name: string, text: string, key: string): HTMLButtonElement {
  const element = button("hb whole", act, name, iconElement(icon, "sm"), make("span", "", text));
  element.title = name;
  if (key !== "") {
    element.append(kbd(key));
    element.setAttribute("aria-keyshortcuts", key);
  }
  return element;
}

function kbd(key: string): HTMLElement {
  const element = make("span", "kbd", make("b", "", key));
  element.ariaHidden = "true";
  return element;
}

/** plusMinus returns an element with the numbers of added and removed lines, omitting zeros. */
export function plusMinus(added: number, removed: number): HTMLElement {
  return make(
    "span",
    "pm num",
    added > 0 && make("span", "add", `+${count(added)}`),
    removed > 0 && make("span", "del", `${minus}${count(removed)}`),
  );
}

/** splitPath splits a path into its folder, including the trailing slash, and its name. */
export function splitPath(path: string): [folder: string, name: string] {
  const at = path.lastIndexOf("/") + 1;
  return [path.slice(0, at), path.slice(at)];
}

function tagsOf({ file, diff, isLarge }: FileView): HTMLElement[] {
  const tags: string[] = [];
  if (file.binary || diff?.binary || diff?.image) tags.push(t.tags.binary);
  if (file.generated) tags.push(t.tags.generated);
  else if (isLarge) tags.push(t.tags.large);
  if (file.kind === "submodule") tags.push(t.tags.submodule);
  else if (file.mode?.length === 2) tags.push(t.tags.mode(file.mode[0] ?? "", file.mode[1] ?? ""));
  if (diff?.crlf?.length === 1) tags.push(t.tags.crlf);
  const elements = tags.map((text) => make("span", "tag", text));
  if (file.conflict || file.resolved) {
    const icon = iconElement(GitMergeConflict, "");
    const text = file.conflict ? t.tags.conflicts(file.conflict) : t.tags.resolved;
    elements.unshift(make("span", file.conflict ? "tag warn" : "tag", icon, text));
  }
  return elements;
}

/**
 * fileHead returns the header of a file, which sticks to the top while the file is in view. If the current change is in
 * the file but has no header, the file's header is highlighted instead.
 */
export function fileHead(
  view: FileView,
  position: { at: number; of: number },
  isCurrent = false,
): HTMLElement {
  const { file } = view;
  const path = visibleText(file.path);
  const [folder, name] = splitPath(path);
  const fold = iconButton(ChevronRight, "fold", view.isFolded ? t.unfold(path) : t.fold(path));
  fold.ariaExpanded = String(!view.isFolded);
  fold.classList.add("chev");
  const title = make(
    "span",
    "rv-name mono trunc",
    make("span", "subtle", folder),
    make("span", "strong-medium", name),
  );
  title.title = file.from ? `${path} (${t.movedFrom(visibleText(file.from))})` : path;
  const viewed = button(
    "rv-viewed",
    "viewed",
    t.viewed,
    make("span", "rv-check"),
    make("span", "", t.viewed),
  );
  viewed.setAttribute("role", "checkbox");
  viewed.ariaChecked = String(file.viewed === true);
  if (file.viewed) viewed.querySelector(".rv-check")?.append(iconElement(Check, ""));
  const grow = make("span", "grow");
  const bar = make("div", isCurrent && view.state !== "rows" ? "rv-bar on" : "rv-bar");
  const heading = make("h2", "rv-title trunc", title);
  heading.ariaLabel = path;
  bar.append(fold, heading, ...tagsOf(view));
  if (file.kind === "moved" && file.from)
    bar.append(make("span", "subtle trunc rv-from", t.movedFrom(visibleText(file.from))));
  bar.append(plusMinus(file.added, file.removed), grow);
  if (!view.isGone) {
    if (view.canStageAll) {
      const isStaged = file.staged === "all";
      const label = isStaged ? c.unstageFile(path) : c.stageFile(path);
      if (file.staged) bar.insertBefore(make("span", "tag", isStaged ? c.stagedTag : c.partlyStaged), grow);
      const text = isStaged ? c.unstage : c.stage;
      // S acts on the whole file if its changes can't be staged one by one.
      const key = isCurrent && (view.isWhole || !view.canStageParts) ? "S" : "";
      bar.append(fileButton(isStaged ? Minus : Plus, "stageFile", label, text, key));
    }
    if (!file.resolved) {
      const key = isCurrent && view.isWhole ? "R" : "";
      bar.append(fileButton(Undo2, "revertFile", t.revertFileName(path), t.revertFile, key));
    }
    bar.append(viewed);
    if (file.kind !== "removed" && file.kind !== "submodule")
      bar.append(iconButton(ExternalLink, "editor", t.openInEditor(path)));
    else bar.append(make("span", "rv-room"));
  }
  const head = make("div", "rv-head", bar);
  head.dataset.position = `${position.at} ${position.of}`;
  if (view.newer) {
    const show = button("btn rv-small", "newer", t.showNew, t.showNew);
    const stays = view.comments > 0 ? ` ${t.commentsStay(view.comments)}` : "";
    const text = make("span", "grow", t.changedJustNow + stays);
    const note = make("div", "rv-msg", iconElement(RefreshCw, "sm"), text, show);
    note.setAttribute("role", "status");
    note.ariaLabel = t.changedOnDisk;
    head.append(note);
  }
  return head;
}

/** The properties of a change that affect its header. */
export interface HunkLook {
  isCurrent: boolean;
  /** Number of the change's lines that are selected. */
  selected: number;
  /** How much of the selected lines is staged or, if none are selected, how much of the change. */
  staged: Staged;
}

/** hunkTitle returns the declaration that contains a change or, if there is none, the change's line numbers. */
export function hunkTitle(view: FileView, hunk: number): string {
  return visibleText(view.section(hunk)) || t.linesFromTo(...view.linesOf(hunk));
}

/**
 * hunkHead returns the header of a change: its title, and the buttons that show hidden lines above it, stage or unstage
 * it, keep it or revert it.
 */
export function hunkHead(view: FileView, hunk: number, look: HunkLook): HTMLElement {
  const head = make("div", look.isCurrent ? "dl h on" : "dl h");
  const inner = make("div", "rv-hunk");
  inner.append(make("span", "trunc", hunkTitle(view, hunk)));
  const acts = make("span", "ha");
  const hidden = view.rows.hidden(hunk);
  if (hidden > 0) acts.append(gapButtons(hunk, hidden, hunk > 0, true));
  if (view.canStageParts) acts.append(...stageParts(view, hunk, look));
  if (view.isKept(hunk) && look.selected === 0) {
    const kept = button("hb kept", "keep", t.keptName(hunk + 1), iconElement(Check, ""), t.kept);
    kept.ariaPressed = "true";
    acts.append(kept);
  } else {
    const keep = button("hb", "keep", t.keepName(hunk + 1), t.keep, look.isCurrent && kbd("K"));
    keep.ariaPressed = "false";
    acts.append(keep);
    const text = look.selected > 0 ? t.revertLines(look.selected) : t.revert;
    const name = look.selected > 0 ? text : t.revertName(hunk + 1);
    acts.append(button("hb", "revert", name, text, look.isCurrent && kbd("R")));
  }
  inner.append(acts);
  head.append(inner);
  for (const each of acts.querySelectorAll<HTMLElement>("[data-act]")) each.dataset.hunk ??= String(hunk);
  return head;
}

/**
 * stageParts returns the button that stages or unstages a change or its selected lines. If at least a part of the
 * change is staged, a tag before the button shows how much.
 */
function stageParts(view: FileView, hunk: number, { isCurrent, selected, staged }: HunkLook): HTMLElement[] {
  const now = stagedIn(view.diff, view.rows.blocksOf(hunk));
  const isStaged = staged === "all";
  let text: string = isStaged ? c.unstage : c.stage;
  let name = isStaged ? c.unstageChange(hunk + 1) : c.stageChange(hunk + 1);
  if (selected > 0) name = text = isStaged ? s.unstageLines(selected) : s.stageLines(selected);
  const act = button("hb", "stage", name, text, isCurrent && kbd("S"));
  if (now === "") return [act];
  return [make("span", "tag", now === "all" ? c.stagedTag : c.partlyStaged), act];
}

/** gapButtons returns the buttons that show the hidden lines before a change or after the last one. */
function gapButtons(gap: number, hidden: number, down: boolean, up: boolean): HTMLElement {
  const group = make("span", "rv-gap");
  const step = Math.min(gapStep, hidden);
  const isSmall = hidden <= gapStep;
  if (down && !isSmall) group.append(iconButton(ChevronsDown, "down", t.openDown(step)));
  if (up && !isSmall) group.append(iconButton(ChevronsUp, "up", t.openUp(step)));
  group.append(iconButton(UnfoldVertical, "all", t.openAll(hidden)));
  for (const each of group.children) (each as HTMLElement).dataset.hunk = String(gap);
  return group;
}

/** tailRow returns the row with the buttons that show hidden lines after the last change. */
export function tailRow(view: FileView): HTMLElement {
  const gap = view.rows.hunks.length;
  const hidden = view.rows.hidden(gap);
  const inner = make("div", "rv-hunk");
  inner.append(
    make("span", "trunc", t.hiddenLines(hidden)),
    make("span", "ha", gapButtons(gap, hidden, true, false)),
  );
  return make("div", "dl h tail", inner);
}
