import { Dialog } from "@kobalte/core/dialog";
import SearchIcon from "lucide-solid/icons/search";
import { createComputed, createEffect, createMemo, createSignal, For, on, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { folderName } from "../../lib/path";
import { actions } from "../../state/actions";
import { chatActions } from "../../state/chatActions";
import { createChats } from "../../state/chats";
import { type Command, commands, openChat, provide } from "../../state/commands";
import { noteUse, useRating } from "../../state/paletteUse";
import { rowState } from "../../state/rows";
import { go } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { sessionsOf } from "../inspector/sessions";
import { StateGlyph, titleOf } from "../shell/ChatRow";
import { Icon } from "../ui/Icon";
import { Kbd, keyShortcuts } from "../ui/Kbd";
import { createOpener } from "../ui/opener";
import { type Entry, entriesFor, filesFor, modeOf, pieces, type Section } from "./entries";
import { iconOf } from "./icons";
import { targetsOf } from "./targets";
import "../ui/menu.css";
import "./palette.css";

const t = messages.palette;

const captions: Record<Section, string> = {
  chats: t.chats,
  chat: t.thisChat,
  anywhere: t.commands,
  settings: t.settings,
  model: t.models,
  mode: t.modes,
  permissions: t.permissions,
  folders: t.folders,
  files: t.files,
};

/** Maximum number of files found per search. */
const maxFiles = 50;
/** A query that doesn't start with "@" must have at least this length to find files. */
const minFileQuery = 2;
/**
 * Number of rows that are rendered at first. The same number is added whenever the user gets near the last
 * rendered row.
 */
const pageRows = 60;

/** Palette finds chats, commands and settings by name, and files in the chat's folder. */
export function Palette() {
  const [open, setOpen] = createSignal(false);
  const opener = createOpener();
  let chosen: (() => void) | undefined;
  provide("palette", () => setOpen(true));
  return (
    <Dialog open={open()} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Overlay class="pal-scrim" />
        <Dialog.Content
          class="pal"
          aria-label={t.title}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            opener.opened();
            document.querySelector<HTMLElement>(".pal input")?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            opener.closed();
            // The action may move the focus, so it runs after the focus is restored.
            const then = chosen;
            chosen = undefined;
            if (then) setTimeout(then);
          }}
        >
          <Rows
            onChoose={(run) => {
              chosen = run;
              setOpen(false);
            }}
            onClose={() => setOpen(false)}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog>
  );
}

function Rows(props: { onChoose: (run: () => void) => void; onClose: () => void }) {
  const state = useStore();
  const chats = createChats();
  const [query, setQuery] = createSignal("");
  const use = useRating();
  const parsedQuery = createMemo(() => modeOf(query()));
  // The visible chat may appear or change while the palette is open, so it is looked up again when the
  // list of chats changes.
  const here = createMemo(() => {
    chats();
    return openChat();
  });
  let list!: HTMLDivElement;

  // For each session that is working on a block, a command that stops that work. The user can find it by the
  // session's name.
  const stops = createMemo((): Command[] => {
    const chat = here();
    if (!chat) return [];
    return sessionsOf(state, chat.id).flatMap((session) => {
      const block = session.turn?.blockId;
      if (!block) return [];
      return [
        {
          id: `stop.${session.name}`,
          label: () => messages.commands.stopSession(session.name),
          group: "chat" as const,
          run: () => actions.stopBlock(chat.id, block),
        },
      ];
    });
  });
  const waiting = createMemo(() => new Set(select.needsAttention(state).map((chat) => chat.id)));
  // Whether a command is available depends on more state than can be listed here, so the available
  // commands are determined again when a chat, request or setting changes.
  const possible = createMemo(() => {
    here();
    waiting();
    Object.values(state.settings);
    return [...commands.filter((command) => !command.when || command.when()), ...stops()];
  });

  const targets = createMemo(() => targetsOf(state, chats(), here()));

  // The result of a file search in the app. When the query or the folder changes, the old result is removed
  // immediately, so that Enter can't open one of its files.
  interface Found {
    entries: Entry[];
    said: string;
    isLooking?: boolean;
  }
  const [files, setFiles] = createSignal<Found>({ entries: [], said: "" });
  let look = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(again));
  const lookUp = async (text: string): Promise<void> => {
    const mine = ++look;
    clearTimeout(again);
    const chat = here();
    if (!chat) {
      setFiles({ entries: [], said: t.noChat });
      return;
    }
    try {
      const found = await actions.files(chat.id, text, maxFiles);
      if (mine !== look) return;
      const said = found.reading ? t.reading : text === "" ? t.noFiles : t.none(text);
      setFiles({ entries: filesFor(found.files), said });
      if (found.reading) again = setTimeout(() => void lookUp(text), 300);
    } catch (thrown) {
      if (mine === look) setFiles({ entries: [], said: (thrown as Error).message });
    }
  };
  const folder = createMemo(() => `${here()?.id} ${here()?.folder}`);
  createComputed(
    on([parsedQuery, folder], ([{ mode, query: text }]) => {
      const isLooking = mode === "files" || (mode === "all" && text.length >= minFileQuery && !!here());
      setFiles({ entries: [], said: isLooking ? t.reading : "", isLooking });
      look++;
      clearTimeout(again);
      if (isLooking) void lookUp(text);
    }),
  );

  const entries = createMemo(() => {
    const { mode, query: text } = parsedQuery();
    if (mode === "files") return files().entries;
    return entriesFor(
      {
        chats: chats(),
        titleOf,
        openId: here()?.id ?? "",
        commands: possible(),
        targets: targets(),
        files: files().entries,
        use,
      },
      mode,
      text,
    );
  });
  // The selected row, which stays selected when rows are added or removed.
  const [chosen, setChosen] = createSignal({ at: 0, id: "" });
  const setAt = (at: number) => setChosen({ at, id: entries()[at]?.id ?? "" });
  const [drawn, setDrawn] = createSignal(pageRows);
  createEffect(
    on(
      parsedQuery,
      () => {
        setChosen({ at: 0, id: "" });
        setDrawn(pageRows);
        list.scrollTop = 0;
      },
      { defer: true },
    ),
  );
  const rows = createMemo(() => entries().slice(0, drawn()));
  const drawTo = (at: number) => {
    if (at >= drawn() - 10 && drawn() < entries().length) setDrawn(at + pageRows);
  };
  const current = () => {
    const { at, id } = chosen();
    const moved = id === "" ? -1 : entries().findIndex((entry) => entry.id === id);
    return moved < 0 ? Math.min(at, entries().length - 1) : moved;
  };
  const optionId = (index: number) => `pal-${index}`;
  const move = (to: number) => {
    drawTo(to);
    setAt(to);
    list.querySelector(`#${optionId(to)}`)?.scrollIntoView?.({ block: "nearest" });
  };

  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    if (entry.file?.endsWith("/")) {
      setQuery(`@${entry.file}`);
      return;
    }
    if (!entry.file) noteUse(entry.id);
    const of = here();
    props.onChoose(() => {
      const { chat, command, file } = entry;
      if (chat) go({ name: "chat", id: chat.id });
      else if (file && of) chatActions.openFile(of, file);
      else command?.run?.();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    const count = entries().length;
    const to = {
      ArrowDown: (current() + 1) % count,
      ArrowUp: (current() - 1 + count) % count,
      PageDown: Math.min(current() + 8, count - 1),
      PageUp: Math.max(current() - 8, 0),
    }[event.key];
    if (event.key === "Enter") choose(entries()[current()]);
    else if (event.key === "Escape") props.onClose();
    else if (to !== undefined) {
      if (count > 0) move(to);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const nothing = () => {
    const { mode, query: text } = parsedQuery();
    if (mode === "files" || files().isLooking) return files().said;
    return text === "" ? t.nothing : t.none(text);
  };
  return (
    <>
      <div class="pi">
        <Icon of={SearchIcon} />
        <input
          class="grow sel"
          role="combobox"
          aria-expanded={entries().length > 0}
          aria-controls="pal-list"
          aria-activedescendant={entries().length > 0 ? optionId(current()) : undefined}
          aria-autocomplete="list"
          aria-label={t.field}
          placeholder={t.field}
          spellcheck={false}
          autocomplete="off"
          value={query()}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Kbd keys={["Escape"]} />
      </div>
      <div
        ref={list}
        id="pal-list"
        class="pal-list"
        role="listbox"
        aria-label={t.results}
        tabindex="-1"
        onScroll={() => {
          if (list.scrollTop + 2 * list.clientHeight > list.scrollHeight) drawTo(drawn());
        }}
      >
        <For each={rows()}>
          {(entry, index) => (
            <>
              <Show when={entry.section !== rows()[index() - 1]?.section}>
                <p role="presentation" class="cap">
                  {captions[entry.section]}
                </p>
              </Show>
              <button
                type="button"
                tabindex="-1"
                id={optionId(index())}
                class="opt"
                role="option"
                aria-selected={index() === current()}
                aria-setsize={entries().length}
                aria-posinset={index() + 1}
                aria-keyshortcuts={
                  entry.command?.keys?.length ? keyShortcuts(...entry.command.keys) : undefined
                }
                // Keeps the focus in the field.
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setAt(index())}
                onClick={() => choose(entry)}
              >
                <Show
                  when={entry.chat && rowState(entry.chat, waiting().has(entry.id)) !== "idle" && entry.chat}
                  fallback={<Icon of={iconOf(entry)} size="sm" />}
                >
                  {(chat) => (
                    <span class="gl">
                      <StateGlyph state={rowState(chat(), waiting().has(entry.id))} />
                    </span>
                  )}
                </Show>
                <span class="trunc" classList={{ mono: !!entry.file }}>
                  <For each={pieces(entry.label, entry.marks)}>
                    {(piece) => (piece.hit ? <span class="hit">{piece.text}</span> : piece.text)}
                  </For>
                </span>
                <span class="r">
                  <Show when={entry.chat}>{(chat) => folderName(chat().folder)}</Show>
                  {entry.fact}
                  <Show when={entry.command?.keys}>{(keys) => <Kbd keys={keys()} />}</Show>
                </span>
              </button>
            </>
          )}
        </For>
      </div>
      <Show when={entries().length === 0}>
        <p class="pal-none">{nothing()}</p>
      </Show>
      <span class="sr" role="status">
        {entries().length === 0 ? nothing() : t.found(entries().length)}
      </span>
      <div class="pf">
        <span class="row" aria-hidden="true">
          <Kbd keys={["ArrowUp", "ArrowDown"]} /> {t.move}
        </span>
        <span class="row" aria-hidden="true">
          <Kbd keys={["Enter"]} /> {t.open}
        </span>
        <span class="grow" />
        <span>
          {t.hint.before} <b>&gt;</b> {t.hint.commands} <b>@</b> {t.hint.files}
        </span>
      </div>
    </>
  );
}
