// The transcript of the chat on screen: entries in a list of which only those
// near the view are drawn, the card of the request that waits, and the regions
// that tell screen readers what happened.

import ArrowDown from "lucide-solid/icons/arrow-down";
import { createEffect, createMemo, createSignal, onCleanup, onMount, Show } from "solid-js";
import { actions } from "../../state/actions";
import { provide } from "../../state/commands";
import { raw, trouble, useStore } from "../../state/store";
import { lengthOf } from "../../state/text";
import { blockKey, type Entry, entriesOf } from "../../state/transcript";
import { SessionMain } from "../../state/words";
import { words } from "../../words";
import type { CardControl } from "../permission/PermissionCard";
import { Button } from "../ui/Button";
import { folderName } from "../ui/path";
import { Announcer } from "./Announcer";
import { createFind, FindBar } from "./FindBar";
import { mostShown } from "./Prose";
import { Row } from "./Row";
import { leavePlace, placeOf } from "./remember";
import { createReveal } from "./reveal";
import { type ListControl, VirtualList } from "./VirtualList";
import { noteSent, noteUnseen, sentItem, wish, wished } from "./view";

/** Transcript shows a chat's transcript as soon as it is here. */
export function Transcript(props: { chatId: string }) {
  const state = useStore();
  return (
    <Show keyed when={props.chatId}>
      {(chatId) => (
        <Show
          when={state.pages[chatId]}
          fallback={
            <div class="scroll">
              <Show when={trouble(chatId)}>
                {(failure) => (
                  <div class="transcript">
                    <div class="note trouble" role="alert">
                      <span class="grow">
                        {words.chat.loadFailed} {failure().message}
                      </span>
                      <Button onClick={() => actions.openChat(chatId)}>{words.chat.tryAgain}</Button>
                    </div>
                  </div>
                )}
              </Show>
            </div>
          }
        >
          <Loaded chatId={chatId} />
        </Show>
      )}
    </Show>
  );
}

/** Guesses of the heights of entries until they were seen. */
const guesses: Record<Exclude<Entry["kind"], "item">, number> = {
  thoughts: 28,
  work: 40,
  ask: 320,
  busy: 20,
  end: 20,
};
const lineHeight = 24;
const lineLetters = 80;

/** guess is how high an entry will be, near enough that the scrollbar does not leap. */
function guess(entry: Entry | undefined): number {
  if (entry?.kind !== "item") return guesses[entry?.kind ?? "busy"];
  const item = raw().items[entry.id];
  const letters = Math.min(mostShown, lengthOf(raw().texts[entry.id]));
  const text = Math.max(1, Math.ceil(letters / lineLetters)) * lineHeight;
  return item?.kind === "user" ? text + 20 : text;
}

/** posOf is the position of the first item of an entry. */
function posOf(entry: Entry | undefined): number {
  if (entry?.kind === "item") return raw().items[entry.id]?.pos ?? 0;
  if (entry?.kind === "work") return raw().items[entry.blockId || (entry.ids[0] ?? "")]?.pos ?? 0;
  return entry?.kind === "thoughts" ? (raw().items[entry.ids[0] ?? ""]?.pos ?? 0) : 0;
}

/** isCovered says whether a question lies over the transcript. */
function isCovered(): boolean {
  return document.querySelector("[role=alertdialog], .dialog") !== null;
}

function Loaded(props: { chatId: string }) {
  const state = useStore();
  const folder = () => state.chats[props.chatId]?.folder ?? "";
  const entries = createMemo(() => {
    void state.pages[props.chatId]?.rev;
    void state.settings.showThoughts;
    return entriesOf(raw(), props.chatId);
  });
  const byKey = createMemo(() => new Map(entries().map((entry) => [entry.key, entry])));
  const keys = createMemo(() => entries().map((entry) => entry.key), [], {
    equals: (a, b) => a.length === b.length && a.every((key, at) => key === b[at]),
  });
  const [list, setList] = createSignal<ListControl>();
  const [card, setCard] = createSignal<CardControl>();

  const askEntry = () => entries().find((entry) => entry.kind === "ask");
  const showAsk = () => {
    const entry = askEntry();
    if (entry) list()?.toKey(entry.key);
  };
  createEffect(() => {
    const entry = askEntry();
    if (entry?.kind !== "ask" || list()?.isSeen(entry.key) !== false) {
      noteUnseen(undefined);
      return;
    }
    noteUnseen({ chatId: props.chatId, askId: entry.id, show: showAsk });
  });
  onCleanup(() => noteUnseen(undefined));

  let frame!: HTMLDivElement;
  const rowOf = (key: string) => frame.querySelector<HTMLElement>(`.entry[data-key="${CSS.escape(key)}"]`);
  createReveal({ chatId: props.chatId, entries, list, rowOf });
  const find = createFind();

  // What came while the reader was elsewhere is counted, by what they left as the last.
  const [left, setLeft] = createSignal("");
  createEffect(() => {
    const last = keys().at(-1) ?? "";
    if (list()?.atEnd() !== false) setLeft(last);
  });
  const news = createMemo(() => {
    const at = keys().indexOf(left());
    const isNew = (key: string) => !["busy", "end"].includes(byKey().get(key)?.kind ?? "busy");
    return at < 0
      ? 0
      : keys()
          .slice(at + 1)
          .filter(isNew).length;
  });

  // What the user just sent is shown, wherever the reader was.
  createEffect(() => {
    const id = sentItem();
    if (id === "" || !byKey().has(id)) return;
    noteSent("");
    list()?.toEnd();
  });

  // A session's newest block is looked for, also in pages that are not loaded yet.
  createEffect(() => {
    const want = wished();
    const all = entries();
    if (want?.chatId !== props.chatId) return;
    if (want.session === SessionMain) {
      wish(undefined);
      list()?.toEnd();
      return;
    }
    const entry = all.findLast(
      (each) => each.kind === "work" && each.blockId && each.session === want.session,
    );
    if (entry && entry.key !== blockKey(want.after)) {
      wish(undefined);
      list()?.toKey(entry.key);
      rowOf(entry.key)?.querySelector<HTMLElement>("summary")?.focus({ preventScroll: true });
      return;
    }
    if (entry) return;
    if ((state.pages[props.chatId]?.before ?? 0) > 0) void actions.loadOlder(props.chatId);
    else if (want.after === "") wish(undefined);
  });
  onCleanup(() => wish(undefined));

  const walk = (step: 1 | -1) => {
    const stops = keys().filter((key) => {
      const entry = byKey().get(key);
      const kind = entry?.kind === "item" ? state.items[entry.id]?.kind : undefined;
      return kind === "user" || kind === "message";
    });
    const focused = document.activeElement?.closest<HTMLElement>(".entry")?.dataset.key;
    const from = keys().indexOf(focused ?? list()?.firstSeen() ?? "");
    const next =
      step > 0
        ? stops.find((key) => keys().indexOf(key) > from)
        : stops.findLast((key) => keys().indexOf(key) < from);
    if (!next) return;
    list()?.toKey(next);
    rowOf(next)?.querySelector<HTMLElement>("article")?.focus({ preventScroll: true });
  };

  // What is not seen is shown first and not answered.
  const answer = (give: "allowOnce" | "reject") => {
    const entry = askEntry();
    if (!entry) return;
    if (list()?.isSeen(entry.key)) card()?.[give]();
    else showAsk();
  };
  // The drawer, and an inspector over the chat, lie over the card as well.
  const mayAnswer = () =>
    askEntry() !== undefined && !isCovered() && document.querySelector(".scrim") === null;
  provide("allow", () => answer("allowOnce"), mayAnswer);
  provide("reject", () => answer("reject"), mayAnswer);
  provide("find", find.open, () => !isCovered());

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat || isCovered()) return;
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    walk(event.key === "ArrowDown" ? 1 : -1);
  };
  onMount(() => window.addEventListener("keydown", onKeyDown));
  onCleanup(() => window.removeEventListener("keydown", onKeyDown));

  return (
    <div class="scroll-frame" ref={frame}>
      <Show when={find.isOpen()}>
        <FindBar
          chatId={props.chatId}
          find={find}
          frame={frame}
          from={() => posOf(byKey().get(list()?.firstSeen() ?? ""))}
          show={(key, part) => list()?.toPart(key, part)}
        />
      </Show>
      <VirtualList
        keys={keys()}
        label={words.chat.transcript}
        estimate={(key) => guess(byKey().get(key))}
        place={placeOf(props.chatId)}
        onPlace={(place) => leavePlace(props.chatId, place)}
        onNearTop={() => void actions.loadOlder(props.chatId)}
        control={setList}
        head={
          <Show when={(state.pages[props.chatId]?.before ?? 0) > 0}>
            <p class="day">{words.chat.older}</p>
          </Show>
        }
      >
        {(key) => (
          <Row
            find={() => byKey().get(key)}
            chatId={props.chatId}
            folder={folder()}
            onToggle={() => list()?.hold(key)}
            onCard={setCard}
          />
        )}
      </VirtualList>
      <Show when={entries().length === 0}>
        <div class="transcript-empty">
          <h2>{words.chat.empty.title}</h2>
          <p class="muted">{words.chat.empty.body(folderName(folder()))}</p>
        </div>
      </Show>
      <Show when={list()?.atEnd() === false}>
        <Button class="jumpdown" icon={ArrowDown} onClick={() => list()?.toEnd()}>
          {news() > 0 ? words.chat.jumpNew(news()) : words.chat.jump}
        </Button>
      </Show>
      <Announcer chatId={props.chatId} folder={folder()} entries={entries()} />
    </div>
  );
}
