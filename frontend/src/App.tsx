import {
  createEffect,
  createMemo,
  createSignal,
  ErrorBoundary,
  Match,
  on,
  onCleanup,
  onMount,
  Show,
  Switch,
} from "solid-js";
import { unwrap } from "solid-js/store";
import { AccountDialogs } from "./components/account/AccountDialogs";
import { AgentSignInDialog } from "./components/agentsignin/AgentSignInDialog";
import { FirstRun } from "./components/firstrun/FirstRun";
import { AsideSheet } from "./components/goback/AsideSheet";
import { Inspector } from "./components/inspector/Inspector";
import { ContextMenus } from "./components/menu/ContextMenus";
import { NewChat } from "./components/newchat/NewChat";
import { Palette } from "./components/palette/Palette";
import { ReviewScreen } from "./components/review/ReviewScreen";
import { SearchScreen } from "./components/search/SearchScreen";
import { SessionsScreen } from "./components/sessions/SessionsScreen";
import { SettingsScreen } from "./components/settings/SettingsScreen";
import { afterPaint } from "./components/shell/afterPaint";
import { Blocked, isBlocked } from "./components/shell/Blocked";
import { ChatScreen } from "./components/shell/ChatScreen";
import { Crash, Notice } from "./components/shell/Crash";
import { DeletedChat, DeleteQuestion, Notices, RestartQuestion } from "./components/shell/Notices";
import { clampWidth, Resizer, sidebarWidth } from "./components/shell/Resizer";
import { Sidebar } from "./components/shell/Sidebar";
import { Switcher } from "./components/shell/Switcher";
import { TrustSheet } from "./components/trust/TrustSheet";
import { Button } from "./components/ui/Button";
import { ConfirmDialog } from "./components/ui/ConfirmDialog";
import { Failure } from "./components/ui/Failure";
import { UndoSheet } from "./components/undo/UndoSheet";
import { language, messages, saveLanguage } from "./i18n";
import { preventPageDrops } from "./lib/dragAndDrop";
import { hasChineseFont } from "./lib/fonts";
import { actions } from "./state/actions";
import { createCommandKeys, provide } from "./state/commands";
import { createFocusReporter } from "./state/focus";
import { clampInspector, isOpen, isOverlay, onOverlay, savedWidth } from "./state/inspector";
import { isComposing } from "./state/keys";
import { createNavigation } from "./state/navigation";
import { notify } from "./state/notices";
import { createPreference } from "./state/preference";
import { go, saveSettingsPage, screen } from "./state/screen";
import { loadFailure, useStore } from "./state/store";
import { followAppearance, hasSavedAppearance } from "./theme";
import "./app.css";

/** Width of the window, in pixels, below which the sidebar is a drawer. */
const drawerBelow = 900;
/** Width of the main column, in pixels, below which the column uses the compact layout. */
const compactBelow = 600;

/** Layout renders the sidebar and the current screen. */
function Layout() {
  const state = useStore();
  let app!: HTMLDivElement;

  const narrowQuery = window.matchMedia(`(max-width: ${drawerBelow - 1}px)`);
  const [narrow, setNarrow] = createSignal(narrowQuery.matches);
  const onNarrow = () => setNarrow(narrowQuery.matches);
  narrowQuery.addEventListener("change", onNarrow);
  onCleanup(() => narrowQuery.removeEventListener("change", onNarrow));

  const [appWidth, setAppWidth] = createSignal(window.innerWidth);
  onMount(() => {
    const observer = new ResizeObserver(() => setAppWidth(app.clientWidth));
    observer.observe(app);
    onCleanup(() => observer.disconnect());
  });

  onMount(() => {
    if (language === "zh" && !hasChineseFont()) {
      notify({ id: "fonts", text: messages.language.noChinese, detail: messages.language.installChinese });
    }
  });

  const [hidden, setHidden] = createPreference("voxpilot.sidebar", "shown");
  const [drawer, setDrawer] = createSignal(false);
  const inGrid = () => !narrow() && hidden() !== "hidden";
  const showSidebar = () => {
    if (narrow()) setDrawer(true);
    else setHidden("shown");
  };
  const hideSidebar = () => {
    if (narrow()) setDrawer(false);
    else setHidden("hidden");
    queueMicrotask(() => app.querySelector<HTMLElement>(".show-side")?.focus());
  };
  const toggleSidebar = () => (inGrid() || (narrow() && drawer()) ? hideSidebar() : showSidebar());
  provide("sidebar", toggleSidebar);

  // The first paint uses the width from localStorage, because the settings arrive later.
  const [width, setWidth] = createPreference("voxpilot.sidebar-width", "0");
  createEffect(
    on(
      () => state.ready && state.settings.sidebarWidth,
      (kept) => typeof kept === "number" && setWidth(String(kept)),
    ),
  );
  const sidebar = () => clampWidth(Number(width()));
  const [overlay, setOverlay] = createSignal(isOverlay());
  onCleanup(onOverlay(() => setOverlay(isOverlay())));
  const besides = () => (inGrid() ? sidebar() : 0);
  const inspects = () => chat() !== undefined && !chat()?.deletedAt && isOpen(overlay());
  const inspector = () => clampInspector(savedWidth(), appWidth(), besides());
  const compact = () => appWidth() - besides() - (inspects() && !overlay() ? inspector() : 0) < compactBelow;
  const saveWidth = () => {
    const sidebarWidth = sidebar();
    if (sidebarWidth === state.settings.sidebarWidth) return;
    actions
      .saveSettings({ ...unwrap(state.settings), sidebarWidth })
      .catch((thrown) => actions.log("warn", `sidebar width: ${thrown.message}`));
  };

  const chat = createMemo(() => {
    const now = screen();
    return now.name === "chat" ? state.chats[now.id] : undefined;
  });
  // If the chat on the screen has been deleted, even in an earlier run, the screen for a new chat
  // replaces it. A newly created chat is also missing from the state until its event arrives, but stays
  // on the screen.
  createEffect(
    (was: { ready: boolean; id?: string }) => {
      const now = screen();
      const id = now.name === "chat" ? now.id : undefined;
      const gone = id !== undefined && !chat() && (was.id === id || !was.ready);
      if (state.ready && gone) queueMicrotask(() => go({ name: "new" }));
      return { ready: state.ready, id: chat()?.id };
    },
    { ready: false },
  );

  const onShowSidebar = () => (inGrid() ? undefined : showSidebar);
  return (
    <div
      ref={app}
      class="app"
      classList={{ "no-sidebar": !inGrid(), "with-inspector": inspects() && !overlay(), compact: compact() }}
      style={{ "--w-sidebar": `${sidebar()}px`, "--w-inspector": `${inspector()}px` }}
    >
      <Show when={inGrid()}>
        <Sidebar onHide={hideSidebar}>
          <Resizer
            class="resizer"
            side="left"
            label={messages.shell.resizeSidebar}
            width={sidebar()}
            {...sidebarWidth}
            onWidth={(to) => setWidth(String(to))}
            onDone={saveWidth}
          />
        </Sidebar>
      </Show>
      <Switch fallback={<main class="main" aria-label={messages.common.app} />}>
        <Match when={chat()?.deletedAt ? chat() : undefined}>
          {(gone) => <DeletedChat chat={gone()} onShowSidebar={onShowSidebar()} />}
        </Match>
        <Match when={chat()}>
          {(open) => <ChatScreen chat={open()} onShowSidebar={onShowSidebar()} overlay={overlay()} />}
        </Match>
        <Match when={state.ready && screen().name === "new"}>
          <NewChat onShowSidebar={onShowSidebar()} />
        </Match>
        <Match when={state.ready && screen().name === "search"}>
          <SearchScreen onShowSidebar={onShowSidebar()} />
        </Match>
        <Match when={state.ready && screen().name === "sessions"}>
          <SessionsScreen onShowSidebar={onShowSidebar()} />
        </Match>
      </Switch>
      <Show when={inspects() && chat()}>
        {(open) => (
          <Inspector
            chat={open()}
            overlay={overlay()}
            width={inspector()}
            max={clampInspector(Number.MAX_SAFE_INTEGER, appWidth(), besides())}
          />
        )}
      </Show>
      <Show when={narrow() && drawer()}>
        <Drawer onClose={hideSidebar}>
          <Sidebar onHide={hideSidebar} onLeave={() => setDrawer(false)} />
        </Drawer>
      </Show>
    </div>
  );
}

/** QuitQuestion asks for confirmation if quitting would stop running chats. */
function QuitQuestion() {
  const state = useStore();
  const [failure, setFailure] = createSignal("");
  return (
    <ConfirmDialog
      open={state.quitRequested > 0}
      title={messages.shell.quit.title(state.quitRequested)}
      body={messages.shell.quit.body}
      confirm={messages.shell.quit.confirm}
      cancel={messages.shell.quit.keep}
      onConfirm={() => actions.quit().catch((thrown) => setFailure(thrown.message))}
      onClose={() => {
        setFailure("");
        actions.cancelQuit();
      }}
    >
      <Failure text={failure()} class="c-bad" />
    </ConfirmDialog>
  );
}

/** Drawer shows the sidebar over the main column; Escape and a click outside close it. */
function Drawer(props: { onClose: () => void; children: import("solid-js").JSX.Element }) {
  let drawer!: HTMLDivElement;
  onMount(() => drawer.querySelector<HTMLElement>("button, a[tabindex='0']")?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !isComposing(event)) {
      event.stopPropagation();
      props.onClose();
    }
    if (event.key !== "Tab") return;
    // The drawer covers the main column, so Tab moves the focus only within the drawer.
    const stops = [...drawer.querySelectorAll<HTMLElement>("button, a[tabindex='0'], input")];
    const edge = event.shiftKey ? stops[0] : stops.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
  };
  return (
    <>
      <div class="scrim" aria-hidden="true" onClick={() => props.onClose()} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: this element only handles keys pressed inside it. */}
      <div ref={drawer} class="drawer" onKeyDown={onKeyDown}>
        {props.children}
      </div>
    </>
  );
}

/** App is the root component of the window. */
export function App() {
  const state = useStore();
  followAppearance();
  createNavigation();
  createFocusReporter();

  // All strings must be in one language from the start, so changing the language reloads the page.
  createEffect(
    on(
      () => state.ready && (state.settings.language ?? ""),
      (chosen) => {
        if (typeof chosen !== "string" || !saveLanguage(chosen)) return;
        saveSettingsPage();
        location.reload();
      },
    ),
  );

  onCleanup(preventPageDrops());
  // Until the state is loaded, it is unknown whether this is the first run. If no appearance settings are
  // saved, the window stays blank until then, so that the app's frame doesn't appear briefly before the
  // first-run screen.
  const isFirstStart = !hasSavedAppearance();
  // Benchmarks and tests wait for this mark, which is set after the initial state has been painted.
  let marked = false;
  createEffect(() => {
    if (marked || !state.ready) return;
    onCleanup(
      afterPaint(() => {
        marked = true;
        performance.mark("voxpilot:chats-painted");
      }),
    );
  });
  const firstRun = createMemo(
    () => state.ready && !state.settings.setupDone && Object.keys(state.chats).length === 0,
  );
  /** The open review. If its chat was deleted, the screen for a new chat replaces the review. */
  const reviewed = createMemo(() => {
    const now = screen();
    if (now.name !== "review") return undefined;
    const chat = state.chats[now.chat];
    if (state.ready && (!chat || chat.deletedAt)) queueMicrotask(() => go({ name: "new" }));
    return chat && !chat.deletedAt ? now : undefined;
  });
  createCommandKeys(
    (command) =>
      state.ready && !isBlocked(state.storage.state) && (!firstRun() || command.inFirstRun === true),
  );
  return (
    <ErrorBoundary fallback={(thrown) => <Crash thrown={thrown} />}>
      <Switch fallback={<Layout />}>
        <Match when={!state.ready && loadFailure()}>
          {(failure) => (
            <Notice title={messages.shell.loadFailed} body={failure().message} detail={failure().detail}>
              <Button large look="primary" onClick={() => window.location.reload()}>
                {messages.shell.crash.reload}
              </Button>
            </Notice>
          )}
        </Match>
        <Match when={!state.ready && isFirstStart}>
          <div class="blank" />
        </Match>
        <Match when={isBlocked(state.storage.state)}>
          <Blocked storage={state.storage} />
        </Match>
        <Match when={screen().name === "settings"}>
          <SettingsScreen />
        </Match>
        <Match when={firstRun()}>
          <FirstRun />
        </Match>
        <Match when={state.ready && reviewed()}>
          {(of) => (
            <Show keyed when={of().chat}>
              {(chat) => <ReviewScreen chatId={chat} source={of().source} />}
            </Show>
          )}
        </Match>
      </Switch>
      <AccountDialogs />
      <AgentSignInDialog />
      <TrustSheet />
      <UndoSheet />
      <AsideSheet />
      <Show when={state.ready}>
        <Palette />
      </Show>
      <ContextMenus />
      <Switcher />
      <DeleteQuestion />
      <RestartQuestion />
      <Notices />
      <QuitQuestion />
    </ErrorBoundary>
  );
}
