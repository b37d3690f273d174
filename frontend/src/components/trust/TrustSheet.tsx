// The sheet that asks whether to trust a folder. It opens automatically once per request of the visible
// chat; "Not now" leaves the request open. Over a review, it opens only if the user asks for it.

import { Dialog as Kobalte } from "@kobalte/core/dialog";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, createUniqueId, on, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { visibleText } from "../../lib/format";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { screen } from "../../state/screen";
import { useStore } from "../../state/store";
import { requestListing, trustRequestOf } from "../../state/trust";
import { closeTrust, reviewed, reviewTrust } from "../../state/trustSheet";
import type { TrustRequest } from "../../state/types";
import { createClickGuard } from "../permission/clickGuard";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { createOpener } from "../ui/opener";
import { TrustBox } from "./TrustBox";
import { whenNoDialog } from "./whenNoDialog";
import "../ui/dialog.css";
import "../ui/sheet.css";
import "./trust.css";

const t = messages.trust;

/** TrustSheet is the window's only trust sheet. */
export function TrustSheet() {
  const state = useStore();
  const openId = createMemo(() => {
    const now = screen();
    if (now.name === "review") return now.chat;
    return now.name === "chat" ? now.id : undefined;
  });
  const waiting = createMemo(() =>
    screen().name === "chat" ? trustRequestOf(state, openId() ?? "")?.id : undefined,
  );
  const listed = createMemo(() => requestListing(state, openId() ?? ""));
  const request = () => (reviewed() === openId() ? listed() : undefined);
  // The last request remains visible while the sheet closes.
  const last = createMemo((before: TrustRequest | undefined) => request() ?? before);

  // Requests that the user has dismissed. They no longer open the sheet automatically.
  const closed = new Set<string>();
  const close = () => {
    const id = request()?.id;
    if (id !== undefined) closed.add(id);
    closeTrust();
  };
  createEffect(() => {
    const ids = Object.values(state.trust).map(({ id }) => id);
    for (const id of closed) if (!ids.includes(id)) closed.delete(id);
  });
  createEffect(
    on([openId, waiting, () => listed()?.id, reviewed], ([chat, id, of, open]) => {
      if (open !== undefined && (open !== chat || of === undefined)) closeTrust();
      if (chat === undefined || id === undefined || open === chat || closed.has(id)) return;
      onCleanup(whenNoDialog(() => reviewTrust(chat)));
    }),
  );

  let content: HTMLDivElement | undefined;
  let notNow: HTMLButtonElement | undefined;
  // The focus is on the buttons, so Page Up and Page Down must scroll the lists from there.
  const onKeyDown = (event: KeyboardEvent) => {
    const body = content?.querySelector(".sheet-body");
    const way = { PageDown: 1, PageUp: -1 }[event.key];
    if (!body || !way || (event.target as Element).closest(".out")) return;
    event.preventDefault();
    body.scrollBy({ top: way * body.clientHeight * 0.9 });
  };
  const opener = createOpener();
  return (
    <Kobalte open={request() !== undefined} onOpenChange={(open) => !open && close()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="dialog-scrim" />
        <div class="dialog-place">
          <Kobalte.Content
            ref={content}
            class="dialog sheet"
            onKeyDown={onKeyDown}
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              opener.opened();
              notNow?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              // If a banner opened this sheet, the banner closes once the user has decided.
              opener.closed(() =>
                document.querySelector<HTMLElement>(".main .composer textarea, .rv-scroll")?.focus(),
              );
            }}
          >
            <Show when={last()}>
              {(shown) => (
                <Sheet request={shown()} onClose={close} initialFocus={(element) => (notNow = element)} />
              )}
            </Show>
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}

/**
 * originOf describes the source and time of the clone that created a folder, or returns "" if both are
 * unknown.
 */
function originOf({ from = "", clonedAt = 0 }: TrustRequest): string {
  if (clonedAt === 0) return from === "" ? "" : t.from(visibleText(from));
  const ago = messages.account.ago(Math.max(0, coarseNow(clonedAt) - clonedAt));
  return from === "" ? t.cloned(ago) : t.clonedFrom(ago, visibleText(from));
}

/** leadOf describes the content of a folder in a sentence. */
function leadOf({ changed, incomplete, runs, agent }: TrustRequest): string {
  if (incomplete && runs.length === 0) return t.unreadLead;
  return changed ? t.changedLead : t.lead(visibleText(agent));
}

interface SheetProps {
  request: TrustRequest;
  onClose(): void;
  /** Receives the button that is focused first. */
  initialFocus(element: HTMLButtonElement): void;
}

function Sheet(props: SheetProps) {
  const reason = createUniqueId();
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  const [changed, setChanged] = createSignal(false);
  // An expanded file stays expanded if a newer request contains it.
  const [open, setOpen] = createSignal<readonly string[]>([]);
  const toggle = (file: string) =>
    setOpen((files) => (files.includes(file) ? files.filter((each) => each !== file) : [...files, file]));
  let footer!: HTMLElement;
  // The user can confirm only after the list has been visible for a moment.
  const ready = createClickGuard({ element: () => footer });
  const id = createMemo(() => props.request.id);
  createEffect(
    on(
      id,
      () => {
        setChanged(true);
        setFailure("");
        ready.restart();
      },
      { defer: true },
    ),
  );
  const state = useStore();
  /** The reason why the folder can't be opened without running its code, or undefined if it can. */
  const why = () => {
    const { sandbox } = state;
    const agents = props.request.chatIds.map((chat) => state.profiles[state.chats[chat]?.providerId ?? ""]);
    if (props.request.incomplete) return t.withoutReason.incomplete;
    if (agents.some((agent) => agent?.address)) {
      return t.withoutReason.elsewhere(visibleText(props.request.agent));
    }
    if (sandbox.state === "ready") return undefined;
    if (sandbox.state === "checking") return t.withoutReason.checking;
    return messages.common.sentences(t.withoutReason.sandbox, visibleText(sandbox.problem ?? ""));
  };
  const decide = (answer: (requestId: string) => Promise<void>) => {
    if (busy() || !ready()) return;
    const shown = id();
    setFailure("");
    setBusy(true);
    answer(shown)
      .then(props.onClose, (thrown) => {
        // If the request has been replaced, the sheet shows that the folder has changed instead of an error.
        if (id() === shown) setFailure(thrown.message);
      })
      .finally(() => setBusy(false));
  };
  return (
    <>
      <header>
        <div class="grow">
          <Kobalte.Title>{t.title}</Kobalte.Title>
          <Kobalte.Description>
            <bdi class="mono">{tilde(props.request.root)}</bdi>
            {t.about(originOf(props.request), leadOf(props.request))}
          </Kobalte.Description>
        </div>
        <IconButton icon={X} label={t.close} onClick={() => props.onClose()} />
      </header>
      <div class="sheet-body">
        <p class="sheet-news" role="status">
          {changed() ? t.justChanged : ""}
        </p>
        <TrustBox request={props.request} of="runs" open={open()} onToggle={toggle} />
        <TrustBox request={props.request} of="steers" open={open()} onToggle={toggle} />
        <p class="sheet-note">{props.request.incomplete ? t.incomplete : t.again}</p>
      </div>
      <footer ref={footer}>
        <Failure text={failure()} />
        <p class="sheet-note" id={reason}>
          {why() ?? t.withoutFact(visibleText(props.request.agent))}
        </p>
        <div class="acts">
          <Button large look="ghost" ref={props.initialFocus} onClick={() => props.onClose()}>
            {t.notNow}
          </Button>
          <Button large aria-disabled={busy()} onClick={() => decide(actions.trustFolder)}>
            {t.trust}
          </Button>
          <Button
            large
            look={why() === undefined ? "primary" : undefined}
            ref={(element) => why() === undefined && props.initialFocus(element)}
            aria-disabled={why() !== undefined || busy()}
            aria-describedby={reason}
            onClick={() => why() === undefined && decide(actions.openWithoutRunning)}
          >
            {t.without}
          </Button>
        </div>
      </footer>
    </>
  );
}
