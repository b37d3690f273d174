// The sheet that describes the damage to a session and rescues a copy of it.

import { Dialog as Kobalte } from "@kobalte/core/dialog";
import CircleCheck from "lucide-solid/icons/circle-check";
import CircleX from "lucide-solid/icons/circle-x";
import GitFork from "lucide-solid/icons/git-fork";
import ShieldCheck from "lucide-solid/icons/shield-check";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import X from "lucide-solid/icons/x";
import { createMemo, createSignal, createUniqueId, type JSX, Show } from "solid-js";
import { messages } from "../../i18n";
import { bytes, visibleText } from "../../lib/format";
import { titleOf } from "../../state/cliSessionRows";
import type { CLISession, SessionReport } from "../../state/types";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { createOpener } from "../ui/opener";
import { moment } from "../ui/time";
import type { Preview } from "./Preview";
import "../ui/dialog.css";
import "../ui/sheet.css";
import "./sessions.css";

const t = messages.sessions.rescueSheet;

export interface RescueSheetProps {
  /** The damaged session, or undefined if the sheet is closed. */
  session: CLISession | undefined;
  preview: Preview;
  failure: string;
  isBusy: boolean;
  onRescue(session: CLISession): void;
  onClose(): void;
  /** Focuses another element if the one that opened the sheet no longer exists. */
  focusOtherwise(): void;
}

export function RescueSheet(props: RescueSheetProps) {
  const opener = createOpener();
  // The last session remains visible while the sheet closes.
  const last = createMemo((before: CLISession | undefined) => props.session ?? before);
  let content: HTMLDivElement | undefined;
  return (
    <Kobalte open={props.session !== undefined} onOpenChange={(open) => !open && props.onClose()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="dialog-scrim" />
        <div class="dialog-place">
          <Kobalte.Content
            ref={content}
            class="dialog sheet rescue-sheet"
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              opener.opened();
              content?.querySelector<HTMLElement>("footer .primary")?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              opener.closed(() => props.focusOtherwise());
            }}
          >
            <Show when={last()}>{(session) => <Sheet {...props} session={session()} />}</Show>
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}

const tones = { ok: CircleCheck, attn: TriangleAlert, bad: CircleX } as const;

/** Found is a row in the list of findings about the session. */
function Found(props: { tone: keyof typeof tones; strong: string; result: string; children?: JSX.Element }) {
  return (
    <li class="found-row">
      <Icon of={tones[props.tone]} size="sm" class={`c-${props.tone}`} />
      <span>
        <b>{props.strong}</b>
        {props.children}
      </span>
      <span class="r num">{props.result}</span>
    </li>
  );
}

function Report(props: { session: CLISession; report: SessionReport }) {
  const report = () => props.report;
  const damage = () => props.session.damage;
  return (
    <div class="fl-box">
      <div class="fl-cap">
        <h3 class="grow">{t.found}</h3>
        <span class="mono fact">{t.file(bytes(props.session.size))}</span>
      </div>
      <ul>
        <Show when={report().messages > 0 || report().toolCalls > 0}>
          <Found tone="ok" strong={messages.sessions.messages(report().messages)} result={t.readable}>
            {t.rest(report().toolCalls, report().fileChanges)}
          </Found>
        </Show>
        <Show when={report().checkpoints > 0}>
          <Found tone="ok" strong={t.checkpoints} result={t.checkpointCount(report().checkpoints)} />
        </Show>
        <Show when={damage() === "no_start"}>
          <Found tone="bad" strong={t.firstEntry} result={t.madeAgain}>
            {" "}
            {t.isMissing}
          </Found>
        </Show>
        <Show when={damage() === "metadata"}>
          <Found tone="bad" strong={t.metadata} result={t.madeAgain}>
            {" "}
            {t.invalid(1)}
          </Found>
        </Show>
        <Show when={report().cutOff}>
          {(size) => <Found tone="bad" strong={t.lastEntry} result={t.cutOff(bytes(size()))} />}
        </Show>
        <Show when={report().invalid}>
          {(n) => (
            <Found tone="bad" strong={t.entries(n())} result={t.leftOut}>
              {" "}
              {t.invalid(n())}
            </Found>
          )}
        </Show>
        <Show when={report().mixed}>
          {(n) => (
            <Found tone="attn" strong={t.entries(n())} result={t.leftOut}>
              {" "}
              {t.mixed(n())}
            </Found>
          )}
        </Show>
      </ul>
    </div>
  );
}

function Sheet(props: RescueSheetProps & { session: CLISession }) {
  const id = createUniqueId();
  const [isPartOpen, setPartOpen] = createSignal(false);
  const preview = () => props.preview.of(props.session);
  const report = () => preview()?.report;
  const part = () => report()?.part ?? "";
  const upTo = () => {
    const at = report()?.upTo;
    return at ? moment(at, Date.now()) : "";
  };
  return (
    <>
      <header>
        <div class="grow">
          <Kobalte.Title>{t.title(titleOf(props.session))}</Kobalte.Title>
          <Kobalte.Description>{t.lead(t.reasons[props.session.damage || "invalid"])}</Kobalte.Description>
        </div>
        <IconButton icon={X} label={t.close} onClick={() => props.onClose()} />
      </header>
      <div class="sheet-body">
        <Show
          when={report()}
          fallback={
            <Show when={!props.preview.failure() && !preview()}>
              <p class="muted" role="status">
                {t.loading}
              </p>
            </Show>
          }
        >
          {(found) => <Report session={props.session} report={found()} />}
        </Show>
        <Show when={isPartOpen()}>
          <section id={id} class="fl-box damaged-part" aria-label={t.part}>
            <div class="fl-cap">
              <h3 class="grow">{t.part}</h3>
              <Show when={report()?.line}>{(line) => <span class="fact num">{t.line(line())}</span>}</Show>
            </div>
            <pre class="out sel" tabindex="0">
              {visibleText(part(), "line")}
            </pre>
          </section>
        </Show>
        <ul class="rescue-facts">
          <li class="found-row">
            <Icon of={GitFork} size="sm" class="subtle" />
            <span>{t.upTo(upTo())}</span>
          </li>
          <li class="found-row">
            <Icon of={ShieldCheck} size="sm" class="subtle" />
            <span>{t.stays}</span>
          </li>
        </ul>
      </div>
      <footer>
        <Failure text={props.failure} />
        <div class="acts">
          <Show when={part()}>
            <button
              type="button"
              class="hb"
              aria-expanded={isPartOpen()}
              aria-controls={isPartOpen() ? id : undefined}
              onClick={() => setPartOpen(!isPartOpen())}
            >
              {isPartOpen() ? t.hide : t.show}
            </button>
          </Show>
          <span class="grow" />
          <Button large look="ghost" onClick={() => props.onClose()}>
            {messages.common.cancel}
          </Button>
          <Button
            large
            look="primary"
            aria-disabled={props.isBusy}
            aria-busy={props.isBusy}
            onClick={() => props.onRescue(props.session)}
          >
            {t.confirm}
          </Button>
        </div>
      </footer>
    </>
  );
}
