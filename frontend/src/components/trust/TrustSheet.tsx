// The sheet that asks whether to trust a folder. It opens automatically once per request of the visible
// chat; "Not now" leaves the request open.

import { Dialog as Kobalte } from "@kobalte/core/dialog";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, createUniqueId, on, onCleanup, Show } from "solid-js";
import { words } from "../../i18n";
import { nowFor } from "../../lib/coarseClock";
import { seen } from "../../lib/format";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { screen } from "../../state/screen";
import { useStore } from "../../state/store";
import { listedBy, trustRequestOf } from "../../state/trust";
import { closeTrust, reviewed, reviewTrust } from "../../state/trustSheet";
import type { TrustRequest } from "../../state/types";
import { createGuard } from "../permission/clickGuard";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { createOpener } from "../ui/opener";
import { Box } from "./Box";
import { whenFree } from "./whenNoDialog";
import "../ui/dialog.css";
import "./trust.css";

const w = words.trust;

/** TrustSheet is the only sheet of the window. */
export function TrustSheet() {
  const state = useStore();
  const openId = createMemo(() => {
    const now = screen();
    return now.name === "chat" ? now.id : undefined;
  });
  const waiting = createMemo(() => trustRequestOf(state, openId() ?? "")?.id);
  const listed = createMemo(() => listedBy(state, openId() ?? ""));
  const request = () => (reviewed() === openId() ? listed() : undefined);
  // The content stays while the sheet closes.
  const last = createMemo((before: TrustRequest | undefined) => request() ?? before);

  // Requests dismissed by the user: these don't open the sheet automatically.
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
      onCleanup(whenFree(() => reviewTrust(chat)));
    }),
  );

  let content: HTMLDivElement | undefined;
  let notNow: HTMLButtonElement | undefined;
  // The buttons have the focus, so Page Up and Page Down scroll the lists from there.
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
              // The banner that opened this sheet disappears with its cause.
              opener.closed(() => document.querySelector<HTMLElement>(".main .composer textarea")?.focus());
            }}
          >
            <Show when={last()}>
              {(shown) => (
                <Sheet request={shown()} onClose={close} firstStop={(element) => (notNow = element)} />
              )}
            </Show>
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}

/** originOf describes the origin and time of a folder's clone, or returns "" if both are unknown. */
function originOf({ from = "", clonedAt = 0 }: TrustRequest): string {
  if (clonedAt === 0) return from === "" ? "" : w.from(seen(from));
  const ago = words.account.ago(Math.max(0, nowFor(clonedAt) - clonedAt));
  return from === "" ? w.cloned(ago) : w.clonedFrom(ago, seen(from));
}

/** leadOf describes the content of a folder in a sentence. */
function leadOf({ changed, incomplete, runs, agent }: TrustRequest): string {
  if (incomplete && runs.length === 0) return w.unreadLead;
  return changed ? w.changedLead : w.lead(seen(agent));
}

interface SheetProps {
  request: TrustRequest;
  onClose(): void;
  /** Receives the button that is focused first. */
  firstStop(element: HTMLButtonElement): void;
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
  // The list must have been visible for a moment before it can be trusted.
  const ready = createGuard({ element: () => footer });
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
  const trust = () => {
    if (busy() || !ready()) return;
    const shown = id();
    setFailure("");
    setBusy(true);
    actions
      .trustFolder(shown)
      .then(props.onClose, (thrown) => {
        // The sheet itself shows that the folder has changed.
        if (id() === shown) setFailure(thrown.message);
      })
      .finally(() => setBusy(false));
  };
  return (
    <>
      <header>
        <div class="grow">
          <Kobalte.Title>{w.title}</Kobalte.Title>
          <Kobalte.Description>
            <bdi class="mono">{tilde(props.request.root)}</bdi>
            {w.about(originOf(props.request), leadOf(props.request))}
          </Kobalte.Description>
        </div>
        <IconButton icon={X} label={w.close} onClick={() => props.onClose()} />
      </header>
      <div class="sheet-body">
        <p class="sheet-news" role="status">
          {changed() ? w.whileOpen : ""}
        </p>
        <Box request={props.request} of="runs" open={open()} onToggle={toggle} />
        <Box request={props.request} of="steers" open={open()} onToggle={toggle} />
        <p class="sheet-note">{props.request.incomplete ? w.incomplete : w.again}</p>
      </div>
      <footer ref={footer}>
        <Failure text={failure()} />
        <p class="sheet-note" id={reason}>
          {w.withoutReason}
        </p>
        <div class="acts">
          <Button large look="ghost" ref={props.firstStop} onClick={() => props.onClose()}>
            {w.notNow}
          </Button>
          <Button large aria-disabled={busy()} onClick={trust}>
            {w.trust}
          </Button>
          <Button large aria-disabled="true" aria-describedby={reason}>
            {w.without}
          </Button>
        </div>
      </footer>
    </>
  );
}
