// The transcript of the chat on screen: entries in a list of which only those
// near the view are drawn, the card of the request that waits, and the regions
// that tell screen readers what happened.

import ArrowDown from "lucide-solid/icons/arrow-down";
import KeyRound from "lucide-solid/icons/key-round";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import Square from "lucide-solid/icons/square";
import Unplug from "lucide-solid/icons/unplug";
import {
  createEffect,
  createMemo,
  createSignal,
  type JSX,
  Match,
  onCleanup,
  onMount,
  Show,
  Switch,
} from "solid-js";
import { createNow } from "../../lib/clock";
import { timeOf } from "../../lib/format";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { raw, trouble, useStore } from "../../state/store";
import { blockKey, type Entry, entriesOf, sameEntry } from "../../state/transcript";
import { SessionMain } from "../../state/words";
import { words } from "../../words";
import { Rule } from "../banner/Banner";
import { EventBanner } from "../banner/EventBanner";
import { type CardControl, PermissionCard } from "../permission/PermissionCard";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { isMod } from "../ui/Kbd";
import { folderName } from "../ui/path";
import { clock } from "../ui/when";
import { Announcer } from "./Announcer";
import { ContentView } from "./ContentView";
import { Message, Note, Trouble, UserMessage } from "./Message";
import { leavePlace, placeOf } from "./remember";
import { Thoughts } from "./Thoughts";
import { type ListControl, VirtualList } from "./VirtualList";
import { noteSent, noteUnseen, sentItem, wish, wished } from "./view";
import { Work } from "./Work";

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
  const letters = raw().texts[entry.id]?.text.length ?? 0;
  const text = Math.max(1, Math.ceil(letters / lineLetters)) * lineHeight;
  return item?.kind === "user" ? text + 20 : text;
}

function Loaded(props: { chatId: string }) {
  const state = useStore();
  const folder = () => state.chats[props.chatId]?.folder ?? "";
  const entries = createMemo(() => {
    void state.pages[props.chatId]?.rev;
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
      document
        .querySelector<HTMLElement>(`.entry[data-key="${CSS.escape(entry.key)}"] summary`)
        ?.focus({ preventScroll: true });
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
    document
      .querySelector<HTMLElement>(`.entry[data-key="${CSS.escape(next)}"] article`)
      ?.focus({ preventScroll: true });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    if (document.querySelector("[role=alertdialog], .dialog")) return;
    const isAllow = isMod(event) && event.shiftKey && event.key === "Enter";
    const isReject = isMod(event) && event.shiftKey && event.key === "Backspace";
    if (isAllow || isReject) {
      const entry = askEntry();
      if (!entry) return;
      event.preventDefault();
      // What is not seen is shown first and not answered.
      if (!list()?.isSeen(entry.key)) showAsk();
      else if (isAllow) card()?.allowOnce();
      else card()?.reject();
      return;
    }
    if (event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      walk(event.key === "ArrowDown" ? 1 : -1);
    }
  };
  onMount(() => window.addEventListener("keydown", onKeyDown));
  onCleanup(() => window.removeEventListener("keydown", onKeyDown));

  return (
    <div class="scroll-frame">
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
          {words.chat.jump}
        </Button>
      </Show>
      <Announcer chatId={props.chatId} folder={folder()} entries={entries()} />
    </div>
  );
}

interface RowProps {
  find(): Entry | undefined;
  chatId: string;
  folder: string;
  onToggle(): void;
  onCard(card: CardControl | undefined): void;
}

/** Row is one entry. What it is never changes; how it stands does. */
function Row(props: RowProps) {
  const state = useStore();
  const first = props.find();
  const entry = createMemo<Entry | undefined>((before) => props.find() ?? before, first, {
    equals: sameEntry,
  });
  const as = <K extends Entry["kind"]>(kind: K) => {
    const now = entry();
    return now?.kind === kind ? (now as Extract<Entry, { kind: K }>) : undefined;
  };
  return (
    <Switch>
      <Match when={as("work")}>
        {(work) => (
          <Work chatId={props.chatId} entry={work()} folder={props.folder} onToggle={props.onToggle} />
        )}
      </Match>
      <Match when={as("thoughts")}>{(thoughts) => <Thoughts ids={thoughts().ids} />}</Match>
      <Match when={as("item")}>
        {(item) => <ItemRow id={item().id} last={item().last} more={item().more} folder={props.folder} />}
      </Match>
      <Match when={as("ask")}>
        {(ask) => (
          <Show when={state.permissions[ask().id]}>
            {(permission) => (
              <PermissionCard
                ask={permission()}
                folder={props.folder}
                waiting={ask().waiting}
                control={props.onCard}
              />
            )}
          </Show>
        )}
      </Match>
      <Match when={as("busy")}>{(busy) => <Busy chatId={props.chatId} turnId={busy().turnId} />}</Match>
      <Match when={as("end")}>{(end) => <End chatId={props.chatId} turnId={end().turnId} />}</Match>
    </Switch>
  );
}

function ItemRow(props: { id: string; last: boolean; more?: string[]; folder: string }): JSX.Element {
  const state = useStore();
  return (
    <Show when={state.items[props.id]}>
      {(item) => (
        <Switch>
          <Match when={item().kind === "user"}>
            <UserMessage item={item()} />
          </Match>
          <Match when={item().kind === "message"}>
            <Message item={item()} last={props.last} />
          </Match>
          <Match when={item().kind === "note"}>
            <Note item={item()} />
          </Match>
          <Match when={item().kind === "image"}>
            <Show when={state.contents[state.contentsOf[props.id]?.[0] ?? ""]}>
              {(content) => <ContentView content={content()} folder={props.folder} of={words.chat.image} />}
            </Show>
          </Match>
          <Match when={item().banner}>
            {(banner) => <EventBanner item={item()} banner={banner()} more={props.more} />}
          </Match>
        </Switch>
      )}
    </Show>
  );
}

/** Busy says that Copilot works although nothing of it is to be seen yet. */
function Busy(props: { chatId: string; turnId: string }) {
  const state = useStore();
  const now = createNow();
  const connection = () => select.connection(state, props.chatId).state;
  const what = () => {
    // A main AI answers whether Copilot runs or not.
    if (state.turns[props.turnId]?.mainId) return words.chat.busy.working;
    switch (connection()) {
      case "checking":
      case "starting":
        return words.chat.busy.starting;
      case "restoring":
        return words.chat.busy.restoring;
      case "needs_login":
        return words.chat.busy.waitingForSignIn;
      case "waiting":
      case "failed":
        return words.chat.busy.waitingForCopilot;
      default:
        return words.chat.busy.working;
    }
  };
  return (
    <div class="note busy">
      <Show
        when={what() === words.chat.busy.waitingForSignIn}
        fallback={<Icon of={LoaderCircle} size="sm" class="spin c-cop" />}
      >
        <Icon of={KeyRound} size="sm" class="c-attn" />
      </Show>
      <span>{what()}</span>
      <span class="num subtle">{clock(now() - (state.turns[props.turnId]?.startedAt ?? now()))}</span>
    </div>
  );
}

/** End says how a turn ended that did not end well. */
function End(props: { chatId: string; turnId: string }) {
  const state = useStore();
  const turn = () => state.turns[props.turnId];
  const time = () => timeOf(turn()?.endedAt || turn()?.startedAt || 0);
  // The banner of the session that came back says the same, and what to do.
  const isTold = createMemo(() => {
    const page = state.pages[props.chatId];
    void page?.rev;
    return (raw().pages[props.chatId]?.order ?? []).some((id) => {
      const item = raw().items[id];
      const kind = item?.banner?.kind;
      return (
        (kind === "incomplete" || kind === "session_lost") &&
        item?.banner?.session === turn()?.session &&
        (item?.createdAt ?? 0) >= (turn()?.endedAt ?? 0)
      );
    });
  });
  return (
    <Switch>
      <Match when={turn()?.state === "stopped"}>
        <Rule icon={Square} label={words.chat.end.stopped(time())}>
          {words.chat.end.stopped(time())}
        </Rule>
      </Match>
      <Match when={turn()?.state === "interrupted" && (!turn()?.error || isTold())}>
        <Rule icon={Unplug} label={words.chat.end.interrupted(time())}>
          {words.chat.end.interrupted(time())}
        </Rule>
      </Match>
      <Match when={turn()}>
        {(ended) => (
          <Trouble
            chatId={props.chatId}
            turnId={props.turnId}
            text={ended().error?.message ?? words.chat.end.failed}
            detail={ended().error?.detail}
          />
        )}
      </Match>
    </Switch>
  );
}
