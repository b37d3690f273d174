// The sheet that asks whether to trust a folder. It opens by itself once for each
// request of the chat on screen; "Not now" leaves the request as it is.

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

/** TrustSheet is the one sheet of the window. */
export function TrustSheet() {
  const state = useStore();
  const openId = createMemo(() => {
    const now = screen();
    return now.name === "chat" ? now.id : undefined;
  });
  const waiting = createMemo(() => trustRequestOf(state, openId() ?? "")?.id);
  const listed = createMemo(() => listedBy(state, openId() ?? ""));
  const request = () => (reviewed() === openId() ? listed() : undefined);
  // It stays as it was while it closes.
  const last = createMemo((before: TrustRequest | undefined) => request() ?? before);

  // The requests that the user closed the sheet of. They don't open it again by themselves.
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
  // The focus is at the buttons, so these keys scroll the lists from there, too.
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
              // The banner that led here goes with what it was about.
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

/** originOf says where a folder was cloned from and when; "" if neither is known. */
function originOf({ from = "", clonedAt = 0 }: TrustRequest): string {
  if (clonedAt === 0) return from === "" ? "" : w.from(seen(from));
  const ago = words.account.ago(Math.max(0, nowFor(clonedAt) - clonedAt));
  return from === "" ? w.cloned(ago) : w.clonedFrom(ago, seen(from));
}

/** leadOf says what is in a folder, in a sentence. */
function leadOf({ changed, incomplete, runs, agent }: TrustRequest): string {
  if (incomplete && runs.length === 0) return w.unreadLead;
  return changed ? w.changedLead : w.lead(seen(agent));
}

interface SheetProps {
  request: TrustRequest;
  onClose(): void;
  /** The button that has the focus first. */
  firstStop(element: HTMLButtonElement): void;
}

function Sheet(props: SheetProps) {
  const reason = createUniqueId();
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  const [changed, setChanged] = createSignal(false);
  // A file that is opened stays so where a newer request has it, too.
  const [open, setOpen] = createSignal<readonly string[]>([]);
  const toggle = (file: string) =>
    setOpen((files) => (files.includes(file) ? files.filter((each) => each !== file) : [...files, file]));
  let footer!: HTMLElement;
  // What stands in the list must have stood there for a moment when it is trusted.
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
        // The sheet says by itself that the folder has changed.
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
