// Entries of the context menu for an element: first the element's own, then those of the elements that
// contain it. An element without entries has no menu.

import type { LucideIcon } from "lucide-solid";
import AtSign from "lucide-solid/icons/at-sign";
import Copy from "lucide-solid/icons/copy";
import Download from "lucide-solid/icons/download";
import ExternalLink from "lucide-solid/icons/external-link";
import GitCommit from "lucide-solid/icons/git-commit-horizontal";
import Link from "lucide-solid/icons/link";
import Quote from "lucide-solid/icons/quote";
import History from "lucide-solid/icons/rotate-ccw-clock";
import Scissors from "lucide-solid/icons/scissors";
import { messages } from "../../i18n";
import { pathInside } from "../../lib/path";
import { isMac } from "../../lib/platform";
import { actions } from "../../state/actions";
import { openChat } from "../../state/commands";
import { composer } from "../../state/composer";
import { openGoBack } from "../../state/goBack";
import { openBlame } from "../../state/inspector";
import { notify } from "../../state/notices";
import { raw } from "../../state/store";
import { wholeOf } from "../../state/text";
import { selectedCode } from "../review/copy";
import { selectedText } from "../transcript/selectedText";
import { Icon } from "../ui/Icon";
import type { MenuEntry, MenuProps } from "../ui/Menu";
import { copyImage, cut, type Field, type Part, partOf, paste, quoted, select, textOf } from "./clipboard";

const t = messages.menu;

/** The context menu of an element. */
export interface ContextMenu {
  label: string;
  groups: MenuProps["groups"];
  /** The selection to restore when the menu closes. */
  part?: Part;
}

/** runReported runs a menu action and reports an error if it fails. */
function runReported(work: Promise<unknown>, text: string): void {
  work.catch((thrown) => notify({ id: "menu", text, detail: thrown.message, failed: true }));
}

const entry = (
  label: string,
  icon: LucideIcon | undefined,
  onSelect: () => void,
  more: Partial<MenuEntry> = {},
): MenuEntry => ({
  label,
  icon: icon ? <Icon of={icon} size="sm" /> : <i class="no-icon" />,
  onSelect,
  ...more,
});

const copyEntry = (label: string, text: () => string | Promise<string>) =>
  entry(label, Copy, () => runReported(Promise.resolve(text()).then(actions.copy), t.failed.copy));

const modKey = (key: string) => (isMac ? `⌘${key}` : `Ctrl+${key}`);

/** fieldMenu returns the menu of a text field. */
function fieldMenu(field: Field): ContextMenu {
  const part = partOf(field);
  const isFixed = field.readOnly || field.disabled;
  const isSecret = field.type === "password";
  const none = part.from === part.to || isSecret;
  const groups = [
    {
      entries: [
        entry(t.cut, Scissors, () => runReported(cut(part), t.failed.copy), {
          fact: modKey("X"),
          disabled: none || isFixed,
        }),
        entry(t.copy, Copy, () => runReported(actions.copy(textOf(part)), t.failed.copy), {
          fact: modKey("C"),
          disabled: none,
        }),
        entry(t.paste, undefined, () => runReported(paste(part), t.failed.paste), {
          fact: modKey("V"),
          disabled: isFixed,
        }),
      ],
    },
    {
      entries: [
        entry(t.selectAll, undefined, () => select({ field, from: 0, to: field.value.length }), {
          fact: modKey("A"),
          disabled: field.value === "",
        }),
      ],
    },
  ];
  return { label: t.field, groups, part };
}

/** wholeText returns the complete text of an item, loading it if needed. */
async function wholeText(id: string): Promise<string> {
  const text = raw().texts[id];
  if (text && text.size > text.known) await actions.loadText(id);
  return wholeOf(raw().texts[id]);
}

/** quote appends a quotation of a text to the draft of a chat. */
function quote(chatId: string, text: string): void {
  const { text: before, attachments } = composer.draft(chatId);
  const apart = before === "" ? "" : `${before.replace(/\n*$/, "")}\n\n`;
  composer.show(chatId, { text: apart + quoted(text), attachments: [...attachments] });
}

/** selectedAt returns the selected text if the element is part of the selection, or "" otherwise. */
function selectedAt(target: Element): string {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || !selection.containsNode(target, true)) return "";
  // Rows of a diff that aren't in view have no text in the page.
  return selectedCode() ?? selection.toString();
}

/** isField reports whether an element is a text field. */
export const isField = (target: Element): target is Field =>
  target.matches("textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])");

/** menuAt returns the context menu of an element, or undefined if it has none. */
export function menuAt(target: Element): ContextMenu | undefined {
  // The native macOS menu for fields offers more: spelling, lookup, dictation.
  if (isField(target)) return isMac ? undefined : fieldMenu(target);
  const groups: { entries: MenuEntry[] }[] = [];
  let label = "";
  const add = (name: string, ...entries: MenuEntry[]) => {
    label ||= name;
    groups.push({ entries });
  };

  const link = target.closest<HTMLAnchorElement>(".md a[href], a.external[href]");
  if (link) {
    const href = link.getAttribute("href") ?? "";
    add(
      t.link,
      entry(t.openLink, ExternalLink, () => link.click()),
      entry(t.copyLink, Link, () => runReported(actions.copy(href), t.failed.copy)),
    );
  }
  const chat = openChat();
  const file = target.closest<HTMLElement>(".file-link[data-path]");
  if (file) {
    const whole = chat ? pathInside(file.dataset.path ?? "", chat.folder) : "";
    const line = Number(file.dataset.line ?? 0);
    const blame = entry(t.blame, GitCommit, () => openBlame(whole, line));
    add(
      t.file,
      entry(t.openFile, ExternalLink, () => file.click()),
      ...(whole === "" ? [] : [blame]),
      entry(t.copyPath, AtSign, () => runReported(actions.copy(file.dataset.path ?? ""), t.failed.copy)),
    );
  }
  const image = target.closest<HTMLImageElement>("img[data-content]");
  if (image) {
    const id = image.dataset.content ?? "";
    add(
      t.image,
      entry(t.copyImage, Copy, () => runReported(copyImage(id, image), t.failed.copy)),
      entry(t.saveImage, Download, () => runReported(actions.saveImage(id, image.alt), t.failed.save)),
    );
  }
  const selected = selectedAt(target);
  if (selected.trim() !== "") {
    const whole = target.closest("[role=log]") ? selectedText() : undefined;
    const text = async () => (whole ? whole() : selected);
    const own = [copyEntry(t.copy, text)];
    if (chat && target.closest("[role=log]")) {
      own.push(
        entry(t.quote, Quote, () =>
          runReported(
            text().then((now) => quote(chat.id, now)),
            t.failed.copy,
          ),
        ),
      );
    }
    add(t.text, ...own);
  }
  const code = target.closest(".code")?.querySelector("pre");
  if (code)
    add(
      t.code,
      copyEntry(t.copyCode, () => code.textContent ?? ""),
    );
  const id = target.closest<HTMLElement>("[data-item]")?.dataset.item ?? "";
  const item = raw().items[id];
  if (item && (item.kind === "message" || item.kind === "user") && raw().texts[id]) {
    const isUser = item.kind === "user";
    const whole = [copyEntry(isUser ? t.copyMessage : t.copyMarkdown, () => wholeText(id))];
    if (chat && selected.trim() === "") {
      whole.push(
        entry(t.quote, Quote, () =>
          runReported(
            wholeText(id).then((text) => quote(chat.id, text)),
            t.failed.copy,
          ),
        ),
      );
    }
    if (isUser && item.turnId) whole.push(entry(messages.goBack.button, History, () => openGoBack(item)));
    add(t.message, ...whole);
  }
  return groups.length > 0 ? { label, groups } : undefined;
}
