// The main session's actions between two messages, with one line for each call or fold of calls. All
// lines together have one tab stop.

import {
  createEffect,
  createMemo,
  createSelector,
  createSignal,
  For,
  on,
  onCleanup,
  Show,
  untrack,
} from "solid-js";
import { messages } from "../../i18n";
import { sameList } from "../../lib/lists";
import { actions } from "../../state/actions";
import { openInEditor } from "../../state/editor";
import { containsItem, type LineRow, rowsOf } from "../../state/lines";
import { wantedMatch } from "../../state/match";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import type { Lines as LinesEntry } from "../../state/transcript";
import { gapsOf } from "../../state/workTotals";
import { isMod } from "../ui/Kbd";
import { itemOf, ListContext, type ListState, Row, shownRows } from "./LineRow";
import { fileOf } from "./line";
import { createJoins } from "./motion";
import { createOpenRequests } from "./openRequests";
import "./lines.css";

const t = messages.lines;

export interface LinesProps {
  chatId: string;
  entry: LinesEntry;
  folder: string;
  /** Called before a user action changes the height of this entry. */
  onToggle(): void;
}

/** Lines renders the lines of one transcript entry as a list. */
export function Lines(props: LinesProps) {
  const state = useStore();
  let list!: HTMLUListElement;
  let focused = "";
  const lineOf = (element: Element | null) => element?.closest<HTMLElement>(".ln")?.dataset.line ?? "";
  const lineAt = (line: string) => list.querySelector<HTMLElement>(`.ln[data-line="${CSS.escape(line)}"]`);
  // The items are read untracked: tracking hundreds of them costs more than iterating over all of them
  // again.
  const rows = createMemo<LineRow[]>(() => {
    const page = state.pages[props.chatId];
    void page?.rev;
    // A line that moves into a fold passes its focus to the fold.
    focused = list?.contains(document.activeElement) ? itemOf(lineOf(document.activeElement)) : "";
    const known = raw().pages[props.chatId];
    return rowsOf(raw(), props.entry.ids, known ? gapsOf(raw(), known, props.entry) : []);
  });
  const byKey = createMemo(() => new Map(rows().map((row) => [row.key, row])));
  const [most, setMost] = createSignal(shownRows);
  const hidden = () => Math.max(0, rows().length - most());
  const joins = createJoins({
    lineAt,
    foldOf: (key) => rows().find((row) => row.kind === "fold" && containsItem(row, key))?.key,
  });
  const keys = createMemo<string[]>(
    (before) => {
      const now = rows()
        .slice(hidden())
        .map((row) => row.key);
      if (list) joins.note(before.filter((key) => !byKey().has(key)));
      return now;
    },
    [],
    { equals: sameList },
  );

  createEffect(
    on(rows, (now) => {
      if (focused === "" || list.contains(document.activeElement)) return;
      const row = now.find((each) => containsItem(each, focused));
      if (row) lineAt(row.key)?.focus({ preventScroll: true });
    }),
  );
  createEffect(on(keys, () => joins.move()));
  // Jumping to a match in a hidden line shows that line and all later ones.
  createEffect(() => {
    const id = wantedMatch()?.itemId;
    const at = id === undefined ? -1 : untrack(rows).findIndex((row) => containsItem(row, id));
    if (at >= 0) setMost((n) => Math.max(n, untrack(rows).length - at));
  });

  const [current, setCurrent] = createSignal("");
  // Names of the rendered lines: only one of these can be the tab stop.
  const drawn = new Set<string>();
  const [changed, noteChange] = createSignal(undefined, { equals: false });
  const register = (name: string) => {
    drawn.add(name);
    noteChange(undefined);
    onCleanup(() => {
      drawn.delete(name);
      noteChange(undefined);
    });
  };
  const stop = createMemo(() => {
    changed();
    const line = current();
    if (drawn.has(line)) return line;
    const id = itemOf(line);
    const held = line === "" ? undefined : rows().find((row) => drawn.has(row.key) && containsItem(row, id));
    return held?.key ?? keys().find((key) => drawn.has(key)) ?? "";
  });
  const isTabStop = createSelector(stop);
  const isQueuedRequest = createOpenRequests(() => props.chatId, { butFirst: true });
  const loadEvicted = () => {
    props.onToggle();
    actions
      .loadEvicted(props.chatId, props.entry)
      .catch((thrown) => actions.log("warn", `load earlier calls: ${thrown.message}`));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const line = (event.target as Element).closest<HTMLElement>("button.ln");
    if (!line || event.isComposing || event.altKey || event.shiftKey) return;
    if (event.key === "Enter" && isMod(event)) {
      const path = fileOf(raw().items[itemOf(lineOf(line))]?.tool);
      if (path === "") return;
      event.preventDefault();
      openInEditor(props.chatId, path, 0, (why) => why && actions.log("warn", `open a file: ${why}`));
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    const all = [...list.querySelectorAll<HTMLElement>("button.ln")];
    const at = all.indexOf(line);
    const isOpen = line.getAttribute("aria-expanded") === "true";
    const outer = line.closest(".ln-in")?.parentElement?.querySelector<HTMLElement>(":scope > button.ln");
    const to: Record<string, HTMLElement | undefined> = {
      ArrowUp: all[at - 1],
      ArrowDown: all[at + 1],
      Home: all[0],
      End: all.at(-1),
      ArrowLeft: isOpen ? undefined : (outer ?? undefined),
    };
    const next = to[event.key];
    if (next) {
      event.preventDefault();
      event.stopPropagation();
      next.focus();
    } else if ((event.key === "ArrowRight" && !isOpen) || (event.key === "ArrowLeft" && isOpen)) {
      event.preventDefault();
      line.click();
    }
  };

  const shared: ListState = {
    chatId: props.chatId,
    get folder() {
      return props.folder;
    },
    isTabStop,
    register,
    isQueuedRequest,
    endsOn: () => props.entry.endsOn,
    onToggle: () => props.onToggle(),
    loadEvicted,
  };
  return (
    <ListContext.Provider value={shared}>
      <Show when={hidden() > 0}>
        <button type="button" class="link show-all" onClick={() => setMost((n) => n + shownRows)}>
          {t.earlier(Math.min(hidden(), shownRows))}
        </button>
      </Show>
      <ul
        ref={list}
        class="lines"
        aria-label={t.label(select.actor(state, props.chatId, props.entry.turnId))}
        onKeyDown={onKeyDown}
        onFocusIn={(event) => {
          const line = lineOf(event.target as Element);
          if (line !== "") setCurrent(line);
        }}
      >
        <For each={keys()}>{(key) => <Row find={() => byKey().get(key)} />}</For>
      </ul>
    </ListContext.Provider>
  );
}
