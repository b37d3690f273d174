// Tracks the selection in a list of rows, so that its ends stay rendered and its whole text can be copied.

import { createEffect, createRoot, createSignal, getOwner, on, onCleanup, onMount, untrack } from "solid-js";
import { insert } from "solid-js/web";
import { messages } from "../../i18n";
import { sameList } from "../../lib/lists";
import { actions } from "../../state/actions";
import { notify } from "../../state/notices";
import { isField } from "./keys";
import type { VirtualListProps } from "./list";
import { hasOmitted, provideSelectedText, selectedText, textWithin } from "./selectedText";

const t = messages.chat.copy;

export interface SelectionOptions {
  props: VirtualListProps;
  list: () => HTMLElement;
  /** Returns the element of a rendered row. */
  rowOf(key: string): HTMLElement | undefined;
}

/** createSelection tracks the selection in a list and copies its text. */
export function createSelection({ props, list, rowOf }: SelectionOptions) {
  const owner = getOwner();
  const [held, setHeld] = createSignal<readonly string[]>([], { equals: sameList });
  let isRange = false;
  /** Whether a row with an end of the selection was removed. The browser then has shortened the selection. */
  let isCut = false;

  const keyOf = (node: Node | null | undefined) => {
    const element = node instanceof Element ? node : node?.parentElement;
    const row = element?.closest<HTMLElement>(".transcript > .entry");
    return row?.parentElement === list() ? row.dataset.key : undefined;
  };
  /** note records which rows contain an end of the selection. */
  const note = () => {
    const selection = getSelection();
    const ends = [keyOf(selection?.anchorNode), keyOf(selection?.focusNode)];
    setHeld([...new Set(ends.filter((key) => key !== undefined))]);
    isRange = selection?.isCollapsed === false;
  };
  const onPointerDown = (event: PointerEvent) => {
    if (!event.shiftKey) isCut = false;
  };
  /** Extends the selection to another row. WebKitGTK can't, because the click moves the focus to that row. */
  const onMouseDown = (event: MouseEvent) => {
    if (event.button !== 0 || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const selection = getSelection();
    const target = event.target instanceof Element ? event.target : undefined;
    const [from, to] = [keyOf(selection?.anchorNode), keyOf(target)];
    if (!from || !to || from === to || target?.closest("button, a, summary, input, textarea")) return;
    const place = document.caretRangeFromPoint?.(event.clientX, event.clientY);
    if (!place || keyOf(place.startContainer) !== to) return;
    event.preventDefault();
    selection?.extend(place.startContainer, place.startOffset);
  };
  createEffect(
    on(
      () => props.keys,
      (keys) => {
        const gone = untrack(held).filter((key) => !keys.includes(key));
        if (gone.length > 0 && isRange) isCut = true;
      },
      { defer: true },
    ),
  );

  /** rowsIn returns the indexes of the first and the last row in a range, or undefined if a part isn't loaded. */
  const rowsIn = (range: Range): readonly [number, number] | undefined => {
    const { keys } = props;
    const rendered = keys.flatMap((key, at) => (rowOf(key) ? [at] : []));
    const isIn = (at: number) => range.intersectsNode(rowOf(keys[at] as string) as HTMLElement);
    // A selection of everything starts or ends outside of the list.
    const begins = range.comparePoint(list(), 0) === 0;
    const ends = range.comparePoint(list(), list().childNodes.length) === 0;
    const first = keyOf(range.startContainer);
    const last = keyOf(range.endContainer);
    if ((begins && props.copy?.hasEarlier()) || (ends && !props.ends)) return undefined;
    const from = begins ? 0 : first === undefined ? rendered.findIndex(isIn) : keys.indexOf(first);
    const to = ends
      ? keys.length - 1
      : last === undefined
        ? (rendered.findLast(isIn) ?? -1)
        : keys.indexOf(last);
    return [!begins && first === undefined ? (rendered[from] ?? -1) : from, to];
  };

  /** textOf returns the text of a row that isn't rendered. */
  const textOf = (key: string) =>
    createRoot((dispose) => {
      const host = document.createElement("div");
      host.hidden = true;
      list().append(host);
      try {
        insert(host, () => props.children(key));
        return [...host.children].map((each) => textWithin(each)).join("\n\n");
      } finally {
        host.remove();
        dispose();
      }
    }, owner);

  const whole = () => {
    if (isCut)
      return () => {
        throw new Error(t.cut);
      };
    const selection = getSelection();
    if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
    const range = selection.getRangeAt(0).cloneRange();
    if (!range.intersectsNode(list())) return undefined;
    const rows = rowsIn(range);
    if (!rows)
      return () => {
        throw new Error(t.cut);
      };
    const [from, to] = rows;
    if (from < 0 || to < from) return undefined;
    const row = rowOf(props.keys[from] as string);
    const common = range.commonAncestorContainer;
    const part = common instanceof Element ? common : common.parentElement;
    if (from === to && row && part?.closest(".prose, .typed, pre") && !hasOmitted(row, range))
      return undefined;
    const keys = props.keys.slice(from, to + 1);
    const read = () =>
      keys
        .map((key) => {
          const row = rowOf(key);
          if (row) return textWithin(row, range);
          return props.copy?.isText(key) ? textOf(key) : "";
        })
        .filter((text) => text.trim() !== "")
        .join("\n\n");
    return () => {
      if (props.copy?.isTooLong(keys)) throw new Error(t.tooLong);
      const loading = props.copy?.load(keys);
      return loading ? loading.then(read) : read();
    };
  };

  const report = (thrown: unknown) =>
    notify({ id: "copy", text: messages.menu.failed.copy, detail: (thrown as Error).message, failed: true });
  const onCopy = (event: ClipboardEvent) => {
    if (event.defaultPrevented || (event.target instanceof Element && isField(event.target))) return;
    const text = selectedText();
    if (!text) return;
    event.preventDefault();
    try {
      const now = text();
      if (typeof now === "string") event.clipboardData?.setData("text/plain", now);
      else now.then(actions.copy).catch(report);
    } catch (thrown) {
      report(thrown);
    }
  };
  onMount(() => {
    document.addEventListener("selectionchange", note);
    document.addEventListener("pointerdown", onPointerDown, true);
    list().addEventListener("mousedown", onMouseDown);
    document.addEventListener("copy", onCopy);
    onCleanup(provideSelectedText(whole));
  });
  onCleanup(() => {
    document.removeEventListener("selectionchange", note);
    document.removeEventListener("pointerdown", onPointerDown, true);
    document.removeEventListener("copy", onCopy);
  });

  return { held, note };
}
