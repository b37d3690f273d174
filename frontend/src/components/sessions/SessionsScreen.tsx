// The screen that lists the Copilot CLI's sessions on this computer and opens them as chats.

import ArrowLeft from "lucide-solid/icons/arrow-left";
import Calendar from "lucide-solid/icons/calendar";
import Cpu from "lucide-solid/icons/cpu";
import Folder from "lucide-solid/icons/folder";
import SearchIcon from "lucide-solid/icons/search";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, on, onCleanup, onMount, Show, untrack } from "solid-js";
import { toAppError } from "../../bridge";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { visibleText } from "../../lib/format";
import { folderName, parentFolder, tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { keyOf, type ListedSession, openingOf, sessionRows } from "../../state/cliSessionRows";
import * as list from "../../state/cliSessions";
import type { DateFilter } from "../../state/hits";
import * as others from "../../state/otherConversations";
import { go, leaveSessions, screen } from "../../state/screen";
import { useStore } from "../../state/store";
import type { Chat, CLISession } from "../../state/types";
import { Rows, type RowsControl } from "../inspector/Rows";
import { ShowSidebar } from "../shell/ShowSidebar";
import { StorageBanner } from "../shell/StorageBanner";
import { Button, IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Picker } from "../ui/Picker";
import { createPreview, SessionPreview } from "./Preview";
import { RescueSheet } from "./RescueSheet";
import { SessionRow } from "./SessionRow";
import "../search/search.css";
import "./sessions.css";

const t = messages.sessions;

/** If the window is narrower than this many pixels, the preview is a page that replaces the list. */
const minPreviewWidth = 900;
const dates: DateFilter[] = ["any", "day", "week", "month", "year"];
/** Row heights in pixels that are assumed until rows are measured. */
const heights = { day: 27, session: 50 };
/** Number of sessions by which the page keys move the selection. */
const pageRows = 8;

/** SessionsScreen lists the sessions and continues, forks or rescues them. */
export function SessionsScreen(props: { onShowSidebar?: () => void }) {
  const state = useStore();
  let field!: HTMLInputElement;
  let rowsControl: RowsControl | undefined;
  let main!: HTMLElement;

  const sessions = createMemo(() => list.sessions() ?? []);
  const rows = createMemo(() => sessionRows(sessions(), coarseNow(0)));
  const byKey = createMemo(() => new Map(rows().map((row) => [row.key, row])));
  const current = createMemo(() => {
    const all = sessions();
    return all.find((session) => keyOf(session) === list.selected()) ?? all[0];
  });
  const isCurrent = (session: ListedSession) => keyOf(session) === keyOf(current() ?? session);
  const known = createMemo(() => sessions().filter((session) => session.chatId).length);
  const preview = createPreview(current);

  const hasPreview = window.matchMedia(`(min-width: ${minPreviewWidth}px)`);
  const [wide, setWide] = createSignal(hasPreview.matches);
  const onWide = () => setWide(hasPreview.matches);
  hasPreview.addEventListener("change", onWide);
  onCleanup(() => hasPreview.removeEventListener("change", onWide));
  /** Whether the preview of the current session replaces the list. */
  const [asksPage, setPage] = createSignal(false);
  const isPage = () => asksPage() && !wide() && current() !== undefined;

  onMount(() => {
    field.focus();
    field.select();
    const place = list.savedSessionScroll();
    const index = rows().findIndex((row) => row.key === place?.key);
    if (place && index >= 0) rowsControl?.restorePosition({ index, offset: place.into });
    onCleanup(list.watchSessions());
  });
  const saveScroll = () => {
    const place = rowsControl?.position();
    const row = place && untrack(rows)[place.index];
    list.saveSessionScroll(row && { key: row.key, into: place.offset });
  };
  onCleanup(() => {
    if (!untrack(isPage)) saveScroll();
  });
  // Opening the screen again focuses the field.
  createEffect(on(screen, (now) => now.name === "sessions" && field.focus(), { defer: true }));
  createEffect(on([list.text, list.filters], () => rowsControl?.toTop(), { defer: true }));

  const [busy, setBusy] = createSignal<"open" | "fork" | "rescue" | "">("");
  const [failure, setFailure] = createSignal("");
  createEffect(on(list.selected, () => setFailure(""), { defer: true }));
  const run = async (what: "open" | "fork" | "rescue", made: () => Promise<Chat>) => {
    if (busy() !== "") return;
    setBusy(what);
    setFailure("");
    try {
      const chat = await made();
      setRescued(undefined);
      // The user may have left the screen in the meantime.
      if (screen().name === "sessions") go({ name: "chat", id: chat.id });
    } catch (thrown) {
      setFailure(toAppError(thrown).message);
    } finally {
      setBusy("");
    }
  };
  const [rescued, setRescued] = createSignal<CLISession>();
  const read = (session: ListedSession) =>
    run("open", () =>
      session.program
        ? actions.openOtherConversation(session.program, session.id)
        : actions.openCLISession(session.home ?? "", session.id),
    );
  const open = (session: ListedSession) => {
    const chat = state.chats[session.chatId ?? ""];
    switch (openingOf(session)) {
      case "chat":
        if (chat && !chat.deletedAt) go({ name: "chat", id: chat.id });
        else void read(session);
        return;
      case "rescue":
        setFailure("");
        setRescued(session);
        return;
      case "continue":
        void read(session);
    }
  };
  const fork = (session: ListedSession) => {
    if (openingOf(session) === "continue" && !session.program)
      void run("fork", () => actions.forkCLISession(session.home ?? "", session.id));
  };

  const inList = (target: EventTarget | null) =>
    target instanceof Element && target.closest("#cli-sessions") !== null;
  const rowOf = (key: string) => {
    const index = rows().findIndex((row) => row.kind === "session" && row.key === key);
    if (index < 0) return undefined;
    // The caption of the first session is shown with it.
    rowsControl?.show(index === 1 ? 0 : index);
    return rowsControl?.row(index)?.querySelector<HTMLElement>("button");
  };
  const move = (step: number) => {
    const all = sessions();
    const now = current();
    const at = now ? all.indexOf(now) : -1;
    const to = all[Math.min(Math.max(at + step, 0), all.length - 1)];
    if (!to) return;
    list.setSelected(keyOf(to));
    const row = rowOf(keyOf(to));
    // From the field, the arrow keys move through the list without moving the focus.
    if (inList(document.activeElement)) row?.focus();
  };
  const openPage = (session: ListedSession) => {
    saveScroll();
    list.setSelected(keyOf(session));
    setPage(true);
    (
      main.querySelector<HTMLElement>(".cli-acts .primary") ??
      main.querySelector<HTMLElement>(".cli-preview button")
    )?.focus();
  };
  const closePage = () => {
    setPage(false);
    const place = list.savedSessionScroll();
    const index = rows().findIndex((row) => row.key === place?.key);
    if (place && index >= 0) rowsControl?.restorePosition({ index, offset: place.into });
    const session = current();
    if (session) rowOf(keyOf(session))?.focus();
  };
  // A search has found a session: select it and scroll to it. In a narrow window, show the session's preview.
  createEffect(() => {
    const key = list.requestedKey();
    if (key === "" || list.sessions() === undefined || !list.isOfText()) return;
    const session = sessions().find((each) => keyOf(each) === key);
    if (!session && list.isCounting()) return; // it may still be missing in the list
    list.setRequestedKey("");
    untrack(() => {
      if (!session) setFailure(t.missing);
      else if (wide()) rowOf(key);
      else openPage(session);
    });
  });
  const enter = (session: ListedSession) => {
    if (wide() || isPage()) open(session);
    else openPage(session);
  };
  // Enter in the field applies to the first result of the typed text, which may not have arrived yet.
  const [enteredText, setEnteredText] = createSignal<string>();
  createEffect(() => {
    const entered = enteredText();
    if (entered === undefined || (entered === list.text() && list.failure() === "" && !list.isOfText()))
      return;
    const isWanted = entered === list.text() && list.isOfText() && document.activeElement === field;
    setEnteredText(undefined);
    const session = untrack(current);
    if (isWanted && session) untrack(() => enter(session));
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.target as HTMLElement;
    // The keys of an open sheet arrive here as well, because it is rendered by this screen.
    if (!main.contains(target)) return;
    const session = current();
    const inPreview = target.closest(".cli-preview") !== null;
    // Filters, their lists and the preview's buttons handle keys themselves.
    if (target !== field && !inList(target) && !inPreview && event.key !== "Escape") return;
    if (inPreview && target.matches("button") && event.key === "Enter") return;
    if (target.closest("[role=listbox]")) return;
    setEnteredText(undefined);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows }[event.key];
    if (step !== undefined) {
      if (inPreview || isPage()) return;
      move(step);
    } else if (event.key === "Escape") {
      if (isPage()) closePage();
      else if (target !== field) field.focus();
      else if (list.text() !== "") list.searchSessions("");
      else leaveSessions();
    } else if (event.key === "Enter" && target === field && !list.isOfText()) {
      setEnteredText(list.text());
    } else if (event.key === "Enter" && session && list.isOfText()) {
      enter(session);
    } else if (event.key.toLowerCase() === "f" && target !== field && session) fork(session);
    else return;
    event.preventDefault();
  };

  const count = () => {
    if (list.sessions() === undefined) return list.isSlow() ? t.loading : "";
    const found = t.found(sessions().length, known());
    return list.isCounting() && !list.isOther() && sessions().length > 0 ? t.counting(found) : found;
  };
  const isFiltered = () => {
    const { folder, home, date } = list.filters();
    return folder !== "" || home !== "" || date !== "any";
  };
  const homeName = (home: string) => {
    if (home === "") return t.cli;
    const profile = Object.values(state.profiles).find((each) => each.home === home);
    return visibleText(profile?.name ?? "") || tilde(home);
  };
  const agents = () => [
    { value: "", label: list.homes().length > 1 ? t.allAgents : t.cli },
    ...(list.homes().length > 1
      ? list.homes().map((home) => ({ value: `=${home}`, label: homeName(home) }))
      : []),
    ...others
      .programs()
      .map(({ program, name }) => ({ value: `@${program}`, label: name, group: t.otherPrograms })),
  ];
  const idOf = (session: ListedSession | undefined) =>
    session && `session-${encodeURIComponent(keyOf(session))}`;

  return (
    <main
      ref={main}
      class="main cli-page"
      classList={{ "is-page": isPage() }}
      aria-label={t.title}
      onKeyDown={onKeyDown}
    >
      <h1 class="sr">{t.title}</h1>
      <header class="bar search-bar">
        <Show when={props.onShowSidebar}>{(show) => <ShowSidebar onShow={show()} />}</Show>
        <div class="input grow">
          <Icon of={SearchIcon} />
          <input
            ref={field}
            class="grow sel"
            type="search"
            aria-label={t.field}
            aria-controls="cli-sessions"
            aria-activedescendant={idOf(current())}
            placeholder={t.placeholder}
            spellcheck={false}
            autocomplete="off"
            value={list.text()}
            onInput={(event) => list.searchSessions(event.currentTarget.value)}
          />
          <Show when={list.text() !== ""}>
            <IconButton
              small
              icon={X}
              label={t.clear}
              onClick={() => {
                list.searchSessions("");
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
          value={list.filters().folder}
          choices={[
            { value: "", label: t.allFolders },
            ...list.folders().map((path) => ({
              value: path,
              label: visibleText(folderName(path)),
              body: visibleText(parentFolder(path)),
            })),
          ]}
          onChange={(folder) => list.filterSessions({ folder })}
        />
        <Show when={agents().length > 1}>
          <Picker
            name={t.agent}
            icon={<Icon of={Cpu} size="sm" />}
            value={list.filters().home}
            choices={agents()}
            onChange={(home) => list.filterSessions({ home })}
          />
        </Show>
        <Picker
          name={t.date}
          icon={<Icon of={Calendar} size="sm" />}
          value={list.filters().date}
          choices={dates.map((value) => ({ value, label: messages.search.dates[value] }))}
          onChange={(date) => list.filterSessions({ date: date as DateFilter })}
        />
        <span class="grow" />
        <span class="subtle num" role="status" aria-label={t.count}>
          {count()}
        </span>
      </div>
      <div class="two">
        <div class="res-col">
          <Show when={list.isOther() ? others.failure() : list.failure()}>
            <div class="search-status" role="alert">
              <p>{t.failed}</p>
              <p class="muted">{list.isOther() ? others.failure() : list.failure()}</p>
              <Button onClick={() => void (list.isOther() ? others.loadConversations() : list.refresh())}>
                {t.tryAgain}
              </Button>
            </div>
          </Show>
          <Show when={list.isOther() ? others.gap() : list.gap()}>
            <p class="search-status muted" role="status">
              {messages.common.sentences(t.partly, list.isOther() ? others.gap() : list.gap())}
            </p>
          </Show>
          <Show when={list.isSlow() && !list.sessions()}>
            <p class="search-status muted">{t.loading}</p>
          </Show>
          <Show when={list.sessions() && sessions().length === 0}>
            <Show
              when={list.text().trim() !== "" || isFiltered()}
              fallback={
                <Show when={!list.isCounting()} fallback={<p class="search-status muted">{t.loading}</p>}>
                  <div class="search-status">
                    <p class="strong-medium">{t.empty}</p>
                    <p class="muted">{t.emptyBody}</p>
                  </div>
                </Show>
              }
            >
              <div class="search-status">
                <p class="muted">{t.none(list.text().trim())}</p>
                <Show when={isFiltered()}>
                  <Button onClick={() => list.filterSessions(list.noSessionFilters)}>{t.clearFilters}</Button>
                </Show>
              </div>
            </Show>
          </Show>
          <Rows
            class="res cli-list"
            role="region"
            id="cli-sessions"
            label={t.list}
            busy={list.isSlow()}
            focusable
            count={rows().length}
            height={(index) => heights[rows()[index]?.kind ?? "session"]}
            rowKey={(index) => rows()[index]?.key ?? ""}
            measure={rows()}
            control={(control) => {
              rowsControl = control;
            }}
          >
            {(_, key) => (
              <Show when={byKey().get(key)}>
                {(row) => {
                  const session = () => {
                    const now = row();
                    return now.kind === "session" ? now.session : undefined;
                  };
                  const label = () => {
                    const now = row();
                    return now.kind === "day" ? now.label : "";
                  };
                  return (
                    <Show when={session()} fallback={<h2 class="cap">{label()}</h2>}>
                      {(shown) => (
                        <SessionRow
                          session={shown()}
                          id={idOf(shown()) ?? ""}
                          isCurrent={isCurrent(shown())}
                          onFocus={() => list.setSelected(keyOf(shown()))}
                          onSelect={() => (wide() ? list.setSelected(keyOf(shown())) : openPage(shown()))}
                          onOpen={() => open(shown())}
                        />
                      )}
                    </Show>
                  );
                }}
              </Show>
            )}
          </Rows>
        </div>
        <Show when={wide() || isPage()}>
          <Show when={current()} fallback={<section class="pre" aria-label={t.preview} />}>
            {(session) => (
              <SessionPreview
                session={session()}
                preview={preview}
                busy={busy()}
                failure={rescued() ? "" : failure()}
                back={
                  <Show when={isPage()}>
                    <IconButton icon={ArrowLeft} label={t.back} onClick={closePage} />
                  </Show>
                }
                onOpen={() => open(session())}
                onFork={() => fork(session())}
              />
            )}
          </Show>
        </Show>
      </div>
      <RescueSheet
        session={rescued()}
        preview={preview}
        failure={failure()}
        isBusy={busy() === "rescue"}
        onRescue={(session) =>
          void run("rescue", () => actions.rescueCLISession(session.home ?? "", session.id))
        }
        onClose={() => {
          setRescued(undefined);
          setFailure("");
        }}
        focusOtherwise={() => {
          const session = current();
          if (session) rowOf(keyOf(session))?.focus();
        }}
      />
    </main>
  );
}
