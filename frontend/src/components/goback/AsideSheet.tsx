// A sheet for reading set-aside messages, with a button that makes them part of the chat again.

import { Dialog as Kobalte } from "@kobalte/core/dialog";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import {
  type AsideSheet as AsideSheetState,
  asideSheet,
  bringBack,
  closeAside,
  goBackBusy,
} from "../../state/goBack";
import { useStore } from "../../state/store";
import type { Event, Hit, Snapshot } from "../../state/types";
import { ExcerptEntry } from "../search/ExcerptEntry";
import { excerptsOf } from "../search/surroundings";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { createOpener } from "../ui/opener";
import "../ui/dialog.css";
import "../ui/sheet.css";
import "./goback.css";

const t = messages.goBack;
/**
 * If the sheet was opened for an item, the first page of messages reaches this many positions past the
 * item.
 */
const afterItem = 40;

/** AsideSheet is the window's only sheet with set-aside messages. */
export function AsideSheet() {
  const opener = createOpener();
  // The last messages remain visible while the sheet closes.
  const last = createMemo((before: AsideSheetState | undefined) => asideSheet() ?? before);
  let content: HTMLDivElement | undefined;
  return (
    <Kobalte open={asideSheet() !== undefined} onOpenChange={(open) => !open && closeAside()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="dialog-scrim" />
        <div class="dialog-place">
          <Kobalte.Content
            ref={content}
            class="dialog sheet aside-sheet"
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              opener.opened();
              content?.querySelector<HTMLElement>("footer .primary")?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              opener.closed(() => document.querySelector<HTMLElement>(".main .composer textarea")?.focus());
            }}
          >
            <Show keyed when={last()}>
              {(shown) => <Sheet of={shown} />}
            </Show>
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}

function Sheet(props: { of: AsideSheetState }) {
  const state = useStore();
  const { chatId, asideId, itemId, pos } = props.of;
  const [events, setEvents] = createSignal<readonly Event[]>([]);
  /** The position before which to load more; undefined while a page is loading, 0 if there are no more. */
  const [before, setBefore] = createSignal<number | undefined>();
  const [isLoaded, setLoaded] = createSignal(false);
  const [loadFailure, setLoadFailure] = createSignal("");
  const [failure, setFailure] = createSignal("");
  const list = createMemo(() => excerptsOf(events(), chatId, state.chats[chatId]?.folder ?? ""));
  let body!: HTMLElement;

  const load = (from?: number) => {
    setLoadFailure("");
    setBefore(undefined);
    actions.asideItems(chatId, asideId, from).then(
      (page: Snapshot) => {
        const height = body.scrollHeight;
        setEvents((known) => [...page.events, ...known]);
        setLoaded(true);
        setBefore(page.before ?? 0);
        // The earlier messages push the visible ones down, so the sheet scrolls by their height.
        if (from !== undefined && itemId === undefined) body.scrollTop += body.scrollHeight - height;
      },
      (thrown) => {
        setLoadFailure(thrown.message);
        setBefore(from ?? 0);
      },
    );
  };
  load(pos === undefined ? undefined : pos + afterItem);
  createEffect(() => {
    if (isLoaded() && itemId) body.querySelector(".at")?.scrollIntoView?.({ block: "nearest" });
  });

  const hit = itemId ? ({ itemId, snippet: [] } as unknown as Hit) : undefined;
  const went = () => state.branches[chatId]?.wentBack;
  const isWent = () => went()?.asideId === asideId;
  /**
   * Whether these messages can be brought back. That is possible if they were set aside last or are a version
   * of the chat.
   */
  const isReachable = () =>
    isWent() ||
    !!state.branches[chatId]?.forks?.some((fork) => fork.versions.some((version) => version.id === asideId));
  const run = async () => {
    setFailure("");
    const reason = await bringBack(chatId, asideId, isWent() && !!went()?.hasFiles);
    if (reason === undefined) return;
    setFailure(reason);
    if (reason === "") closeAside();
  };
  return (
    <>
      <header>
        <div class="grow">
          <Kobalte.Title>{t.asideTitle}</Kobalte.Title>
          <Kobalte.Description>{t.asideLead}</Kobalte.Description>
        </div>
        <IconButton icon={X} label={t.close} onClick={closeAside} />
      </header>
      <section class="sheet-body" ref={body} tabindex="0" aria-label={t.asideTitle}>
        <Show when={(before() ?? 0) > 0 && loadFailure() === ""}>
          <button type="button" class="link" onClick={() => load(before())}>
            {t.showEarlier}
          </button>
        </Show>
        <Show when={loadFailure()}>
          <div role="alert">
            <p>
              {t.asideFailed} {loadFailure()}
            </p>
            <Button onClick={() => load(before() || undefined)}>{t.tryAgain}</Button>
          </div>
        </Show>
        <Show when={before() === undefined}>
          <p class="muted" role="status">
            {t.loading}
          </p>
        </Show>
        <Show when={isLoaded() && list().length === 0}>
          <p class="muted" role="status">
            {t.asideEmpty}
          </p>
        </Show>
        <div class="prb">
          <For each={list()}>{(entry) => <ExcerptEntry chatId={chatId} entry={entry} hit={hit} />}</For>
        </div>
      </section>
      <footer>
        <Failure text={failure()} />
        <div class="acts">
          <Button large look={isReachable() ? "ghost" : "primary"} onClick={closeAside}>
            {t.close}
          </Button>
          <Show when={isReachable()}>
            <Button large look="primary" aria-busy={goBackBusy() === asideId} onClick={() => void run()}>
              {t.bringBack}
            </Button>
          </Show>
        </div>
      </footer>
    </>
  );
}
