import Calendar from "lucide-solid/icons/calendar";
import Folder from "lucide-solid/icons/folder";
import Layers from "lucide-solid/icons/layers";
import MessageSquare from "lucide-solid/icons/message-square";
import SearchIcon from "lucide-solid/icons/search";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import X from "lucide-solid/icons/x";
import {
  createEffect,
  createMemo,
  createSignal,
  For,
  Match,
  on,
  onCleanup,
  onMount,
  Show,
  Switch,
  untrack,
} from "solid-js";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { visibleText } from "../../lib/format";
import { folderName, parentFolder } from "../../lib/path";
import { actions } from "../../state/actions";
import { createChats } from "../../state/chats";
import { askForSession } from "../../state/cliSessions";
import { keysOf } from "../../state/commands";
import { showAside } from "../../state/goBack";
import { type DateFilter, type Group, groupKeyOf, keyOf, type Row, rowsOf, termsOf } from "../../state/hits";
import { go, leaveSearch, screen } from "../../state/screen";
import * as query from "../../state/search";
import { select } from "../../state/select";
import { settingRows, showSetting } from "../../state/settingRows";
import type { State } from "../../state/state";
import { useStore } from "../../state/store";
import type { Hit, HitAuthor, HitCategory } from "../../state/types";
import { Rows, type RowsControl } from "../inspector/Rows";
import { ShowSidebar } from "../shell/ShowSidebar";
import { StorageBanner } from "../shell/StorageBanner";
import { Button, IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { keyShortcuts } from "../ui/Kbd";
import { Picker } from "../ui/Picker";
import { Preview } from "./Preview";
import { dayOf } from "./time";
import "./search.css";

const t = messages.search;

/**
 * If the window is narrower than this many pixels, there is no preview, and selecting a result opens it immediately.
 */
const minPreviewWidth = 900;
const dates: DateFilter[] = ["any", "day", "week", "month", "year"];
const authors: (HitAuthor | "")[] = ["", "you", "voxpilot", "copilot"];
const places: query.Filters["where"][] = ["", "chats", "sessions"];
const kinds: (HitCategory | "")[] = ["", "messages", "answers", "commands", "files", "tools"];
/** The next page is loaded once the selection is at most this many rows from the end of the list. */
const loadDistance = 8;
/** Row heights in pixels that are assumed until rows are measured. */
const heights = { chat: 34, hit: 48, more: 24 };

/** authorOf returns the label for a result's author or, for a command, a label that identifies it as a command. */
function authorOf(state: State, hit: Hit): string {
  if (hit.session)
    return messages.chat.work.label(select.agentOf(state, hit.chatId), visibleText(hit.session));
  if (hit.cliSession && hit.kind === "message") return t.authorLabels.block;
  return hit.tool === "execute" ? t.command : t.authorLabels[hit.kind];
}

function showSessionSetting(): void {
  const row = settingRows.find(({ id }) => id === "agent.searchSessions");
  if (row) showSetting(row);
}

/** openHit opens a result's chat and scrolls to the result, or shows the result's session in the list of sessions. */
function openHit(hit: Hit): void {
  if (hit.cliSession) {
    askForSession({ id: hit.cliSession, home: hit.home });
    go({ name: "sessions" });
    return;
  }
  if (!hit.itemId) {
    go({ name: "chat", id: hit.chatId });
    return;
  }
  if (hit.aside) {
    const { chatId, aside: asideId, itemId, pos } = hit;
    go({ name: "chat", id: chatId }, () => showAside({ chatId, asideId, itemId, pos }));
    return;
  }
  const more = { parentId: hit.parentId, find: termsOf(hit)[0] };
  actions.showMatch(hit.chatId, hit.itemId, hit.pos ?? 0, more);
}

/** SearchScreen searches all chats and, if the setting is on, the Copilot CLI's sessions. It opens the results. */
export function SearchScreen(props: { onShowSidebar?: () => void }) {
  const state = useStore();
  let field!: HTMLInputElement;
  let list: RowsControl | undefined;

  /** Fingerprint of the searched chats. As long as it is unchanged, the results are up to date. */
  const stamp = () =>
    Object.values(state.chats)
      .map((chat) => [chat.id, chat.updatedAt, chat.title, chat.deletedAt ?? 0].join())
      .sort()
      .join("\n");
  const searchesSessions = () => state.settings.searchSessions ?? false;
  onMount(() => {
    field.focus();
    field.select();
    const place = query.savedScroll();
    const index = rows().findIndex((row) => row.key === place?.key);
    if (place && index >= 0) list?.restorePosition({ index, offset: place.into });
    query.resume(
      () => untrack(stamp),
      () => untrack(searchesSessions),
    );
  });
  onCleanup(() => {
    const place = list?.position();
    const row = place && untrack(rows)[place.index];
    query.saveScroll(row && { key: row.key, into: place.offset });
  });
  // Opening the search again focuses the field and may set another query.
  createEffect(
    on(screen, (now) => {
      if (now.name !== "search") return;
      if (now.query !== undefined && now.query !== query.text()) query.search(now.query);
      field.focus();
      field.select();
    }),
  );

  const chats = createChats();
  const folders = createMemo(() => {
    const newest = [...chats()].sort((a, b) => b.updatedAt - a.updatedAt).map((chat) => chat.folder);
    return [...new Set(newest)];
  });
  const groups = createMemo(() =>
    (query.found()?.groups ?? []).filter((group) => !state.chats[group.chatId]?.deletedAt),
  );
  const rows = createMemo(() => rowsOf(groups(), query.opened()));
  const rowsByKey = createMemo(() => new Map(rows().map((row) => [row.key, row])));
  const shown = createMemo(() => rows().flatMap((row) => (row.kind === "hit" ? [row.hit] : [])));
  const current = createMemo(() => {
    const all = shown();
    return all.find((hit) => keyOf(hit) === query.selected()) ?? all[0];
  });
  const hasPreview = window.matchMedia(`(min-width: ${minPreviewWidth}px)`);
  const [wide, setWide] = createSignal(hasPreview.matches);
  const onWide = () => setWide(hasPreview.matches);
  hasPreview.addEventListener("change", onWide);
  onCleanup(() => hasPreview.removeEventListener("change", onWide));

  const inList = (target: EventTarget | null) =>
    target instanceof Element && target.closest("#search-results");
  const rowOf = (key: string) => {
    const index = rows().findIndex((row) => row.kind === "hit" && row.key === key);
    list?.show(index);
    return list?.row(index)?.querySelector<HTMLElement>("button");
  };
  const move = (step: number) => {
    const all = shown();
    const now = current();
    const at = now ? all.indexOf(now) : -1;
    const to = all[Math.min(Math.max(at + step, 0), all.length - 1)];
    if (!to) return;
    query.setSelected(keyOf(to));
    const row = rowOf(keyOf(to));
    // From the field, the arrow keys move through the list without moving the focus.
    if (inList(document.activeElement)) row?.focus();
    if (at + step >= all.length - loadDistance) query.showMore();
  };
  // Enter in the field applies to the first result of the typed text, which may not have arrived yet.
  const [enteredText, setEnteredText] = createSignal<string>();
  createEffect(() => {
    const entered = enteredText();
    if (entered === undefined || (entered === query.text() && query.failure() === "" && !query.isOfText()))
      return;
    const isWanted = entered === query.text() && query.isOfText() && document.activeElement === field;
    setEnteredText(undefined);
    const hit = untrack(current);
    if (isWanted && hit) untrack(() => openHit(hit));
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.target as HTMLElement;
    // Filters and their lists handle keys themselves.
    if (target !== field && !inList(target) && event.key !== "Escape") return;
    if (target.closest("[role=listbox]")) return;
    setEnteredText(undefined);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    const hit = current();
    if (step !== undefined) move(step);
    else if (event.key === "Escape") {
      if (target !== field) field.focus();
      else if (query.text() !== "") query.search("");
      else leaveSearch();
    } else if (event.key === "Enter" && target === field && query.text().trim() !== "" && !query.isOfText()) {
      setEnteredText(query.text());
    } else if (event.key === "Enter" && hit && !target.closest(".more")) {
      // While a search is running, the list still shows the results of the previous query.
      if (query.isOfText()) openHit(hit);
    } else return;
    event.preventDefault();
  };

  const count = () => {
    if (query.slow()) return t.searching;
    const found = query.found();
    if (!found) return "";
    const { chats, sessions } = found;
    const parts = [chats, sessions].flatMap((part) => part ?? []);
    const total = parts.reduce((sum, part) => sum + part.total, 0);
    if (parts.some((part) => part.capped || (part.total > 0 && part.chats === 0)))
      return t.foundSoFar(
        total,
        parts.some((part) => part.capped),
      );
    if (!sessions || (chats && sessions.total === 0)) return t.found(total, chats?.chats ?? 0);
    return t.foundInSessions(total, chats?.chats ?? 0, sessions.chats);
  };
  const filtered = () => Object.entries(query.noFilters).some(([name, none]) => filterOf(name) !== none);
  const filterOf = (name: string) => query.filters()[name as keyof query.Filters];
  const idOf = (hit: Hit | undefined) => hit && `hit-${keyOf(hit)}`;
  const showAll = async (group: Group, byKey: boolean) => {
    const last = shown().findLast((hit) => groupKeyOf(hit) === group.key);
    await query.showAll(group.key);
    const all = shown();
    const at = all.findIndex((hit) => last && keyOf(hit) === keyOf(last));
    const next = at < 0 ? undefined : all[at + 1];
    if (byKey && next && groupKeyOf(next) === group.key) rowOf(keyOf(next))?.focus();
  };
  // A list too short to be scrolled loads its next page at once. A page may add no rows, for example if it
  // contains only chats already listed.
  createEffect(() => {
    if (query.hasMore() && rows().length < loadDistance && !query.busy() && !query.failure())
      query.showMore();
  });

  const Head = (own: { group: Group }) => (
    <h2>
      <span class="trunc">
        {visibleText(own.group.title, "prose") ||
          (own.group.cliSession ? messages.sessions.untitled : messages.shell.untitled)}
      </span>
      <Show when={own.group.cliSession}>
        <span class="tag">{t.session}</span>
      </Show>
      <span class="path">{visibleText(folderName(own.group.folder))}</span>
      <span class="badge num">{t.inChat(own.group.total, own.group.capped ?? false)}</span>
    </h2>
  );
  const More = (own: { group: Group; rest: number }) => {
    const text = own.group.cliSession ? t.inSession : t;
    return <>{own.rest > 0 ? text.more(own.rest) : text.moreUncounted}</>;
  };
  const Result = (own: { hit: Hit }) => (
    <button
      type="button"
      id={idOf(own.hit)}
      data-hit={keyOf(own.hit)}
      class="hitr"
      aria-current={keyOf(own.hit) === keyOf(current() ?? own.hit) ? "true" : undefined}
      onFocus={() => query.setSelected(keyOf(own.hit))}
      onClick={() => {
        query.setSelected(keyOf(own.hit));
        if (!wide()) openHit(own.hit);
      }}
      onDblClick={() => openHit(own.hit)}
    >
      <span class="w">
        {authorOf(state, own.hit)}
        <Show when={own.hit.aside}>
          {" "}
          <span class="tag">{messages.goBack.tag}</span>
        </Show>
      </span>
      <time>{dayOf(own.hit.at, coarseNow(own.hit.at))}</time>
      <span class="sn2" classList={{ mono: own.hit.kind === "tool" }}>
        <For each={own.hit.snippet}>
          {(piece) =>
            piece.hit ? (
              <mark class="m">{visibleText(piece.text, "prose")}</mark>
            ) : (
              visibleText(piece.text, "prose")
            )
          }
        </For>
      </span>
    </button>
  );
  const One = (own: { row: Row }) => (
    <Switch>
      <Match when={own.row.kind === "chat" && own.row}>{(row) => <Head group={row().group} />}</Match>
      <Match when={own.row.kind === "hit" && own.row}>{(row) => <Result hit={row().hit} />}</Match>
      <Match when={own.row.kind === "more" && own.row}>
        {(row) => (
          <button
            type="button"
            class="more"
            onClick={(event) => void showAll(row().group, event.detail === 0)}
          >
            <More group={row().group} rest={row().rest} />
          </button>
        )}
      </Match>
    </Switch>
  );

  /**
   * Sessions shows a button that opens the list of the Copilot CLI's sessions, most of which aren't chats. If the
   * search doesn't include the sessions, another button shows the setting that includes them.
   */
  const Sessions = () => (
    <>
      <Button look="ghost" class="to-sessions" icon={SquareTerminal} onClick={() => go({ name: "sessions" })}>
        {messages.sessions.fromTerminal}
      </Button>
      <Show when={!searchesSessions()}>
        <Button look="ghost" class="to-sessions" icon={SearchIcon} onClick={showSessionSetting}>
          {t.alsoSessions}
        </Button>
      </Show>
    </>
  );

  return (
    <main class="main" aria-label={t.title} onKeyDown={onKeyDown}>
      <header class="bar search-bar">
        <Show when={props.onShowSidebar}>{(show) => <ShowSidebar onShow={show()} />}</Show>
        <h1 class="sr">{t.title}</h1>
        <div class="input grow">
          <Icon of={SearchIcon} />
          <input
            ref={field}
            class="grow sel"
            type="search"
            aria-label={t.field}
            aria-keyshortcuts={keyShortcuts(...keysOf("search"))}
            aria-controls="search-results"
            aria-activedescendant={idOf(current())}
            placeholder={t.placeholder}
            spellcheck={false}
            autocomplete="off"
            value={query.text()}
            onInput={(event) => query.search(event.currentTarget.value)}
          />
          <Show when={query.text() !== ""}>
            <IconButton
              small
              icon={X}
              label={t.clear}
              onClick={() => {
                query.search("");
                field.focus();
              }}
            />
          </Show>
        </div>
      </header>
      <StorageBanner />
      <div class="fl">
        <Picker
          name={t.folder}
          icon={<Icon of={Folder} size="sm" />}
          value={query.filters().folder}
          choices={[
            { value: "", label: t.allFolders },
            ...folders().map((path) => ({
              value: path,
              label: visibleText(folderName(path)),
              body: visibleText(parentFolder(path)),
            })),
          ]}
          onChange={(folder) => query.filter({ folder })}
        />
        <Show when={searchesSessions()}>
          <Picker
            name={t.where}
            icon={<Icon of={Layers} size="sm" />}
            value={query.filters().where}
            choices={places.map((value) => ({ value, label: t.places[value || "everywhere"] }))}
            onChange={(where) => query.filter({ where: where as query.Filters["where"] })}
          />
        </Show>
        <Picker
          name={t.from}
          icon={<Icon of={MessageSquare} size="sm" />}
          value={query.filters().who}
          choices={authors.map((value) => ({ value, label: t.authors[value || "anyone"] }))}
          onChange={(who) => query.filter({ who: who as HitAuthor | "" })}
        />
        <Picker
          name={t.kind}
          icon={<Icon of={SquareTerminal} size="sm" />}
          value={query.filters().of}
          choices={kinds.map((value) => ({ value, label: t.kinds[value || "everything"] }))}
          onChange={(of) => query.filter({ of: of as HitCategory | "" })}
        />
        <Picker
          name={t.date}
          icon={<Icon of={Calendar} size="sm" />}
          value={query.filters().date}
          choices={dates.map((value) => ({ value, label: t.dates[value] }))}
          onChange={(date) => query.filter({ date: date as DateFilter })}
        />
        <span class="grow" />
        <span class="subtle num" role="status" aria-label={t.count}>
          {count()}
        </span>
      </div>
      <div class="two">
        <div class="res-col">
          <Show when={query.failure()}>
            <div class="search-status" role="alert">
              <p>{t.failed}</p>
              <p class="muted">{query.failure()}</p>
              <Button onClick={query.refresh}>{t.tryAgain}</Button>
            </div>
          </Show>
          <Show when={query.text().trim() === ""}>
            <div class="search-status">
              <p class="muted">{searchesSessions() ? t.startWithSessions : t.start}</p>
              <Sessions />
            </div>
          </Show>
          <Show when={query.found()?.chats?.reading}>
            <p class="search-status muted">{t.indexing}</p>
          </Show>
          <Show when={query.found()?.sessions?.reading}>
            <p class="search-status muted" role="status">
              {t.indexingSessions}
            </p>
          </Show>
          <Show when={query.found() && shown().length === 0 && !query.failure() && query.found()}>
            {(found) => (
              <div class="search-status">
                <p class="muted">{t.none(found().query)}</p>
                <Show when={filtered()}>
                  <Button onClick={() => query.filter(query.noFilters)}>{t.clearFilters}</Button>
                </Show>
                <Sessions />
              </div>
            )}
          </Show>
          <Rows
            class="res"
            role="region"
            id="search-results"
            label={t.results}
            busy={query.slow()}
            focusable
            count={rows().length}
            height={(index) => heights[rows()[index]?.kind ?? "hit"]}
            rowKey={(index) => rows()[index]?.key ?? ""}
            measure={rows()}
            control={(control) => {
              list = control;
            }}
            onNear={query.showMore}
          >
            {(_, key) => <Show when={rowsByKey().get(key)}>{(row) => <One row={row()} />}</Show>}
          </Rows>
        </div>
        <Show when={wide()}>
          <Show when={current()} fallback={<section class="pre" aria-label={t.preview} />}>
            {(hit) => <Preview hit={hit()} onOpen={() => openHit(hit())} />}
          </Show>
        </Show>
      </div>
    </main>
  );
}
