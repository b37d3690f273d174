// The address of a web page that an agent asks the user to open, and the buttons below it.

import ExternalLink from "lucide-solid/icons/external-link";
import { For, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { QuestionPage } from "../../state/types";
import { Icon } from "../ui/Icon";
import { keyShortcuts } from "../ui/Kbd";

const t = messages.question;

/** addressOf returns the address of a page, exactly as it is displayed. */
export const addressOf = (page: QuestionPage): string => page.before + page.host + page.after;

/** isOdd reports whether the address of a page may mislead the user. */
export const isOdd = (page: QuestionPage | undefined): boolean => !!page?.doubts?.length;

/** Address shows a whole address with its host emphasized. */
export function Address(props: { page: QuestionPage }) {
  return (
    <p class="q-url mono sel">
      {props.page.before}
      <b>{props.page.host}</b>
      {props.page.after}
    </p>
  );
}

export interface PageAddressProps {
  page: QuestionPage;
  /** The agent's reason, shown if the card's title doesn't contain it. */
  reason: string;
  /** Whether the user is asked once more. */
  sure: boolean;
}

/** PageAddress shows the address and, if it is suspicious, why. */
export function PageAddress(props: PageAddressProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would get the style of other sections. */}
      <div class="q-page" role="region" aria-label={t.address}>
        <Address page={props.page} />
      </div>
      <Show when={isOdd(props.page)}>
        <div class="q-doubts">
          <For each={props.page.doubts}>{(doubt) => <p>{visibleText(doubt, "prose")}</p>}</For>
          <Show when={props.page.neverOpens}>
            <p>{t.neverOpens}</p>
          </Show>
          <p class="subtle">{props.reason}</p>
          <Show when={props.sure}>
            <p role="alert">
              <b>{t.sure(props.page.host)}</b>
            </p>
          </Show>
        </div>
      </Show>
    </>
  );
}

export interface PageButtonsProps {
  page: QuestionPage;
  sure: boolean;
  onOpen(): void;
  onCopy(): void;
  onDecline(): void;
  onSure(to: boolean): void;
}

/** PageButtons shows the buttons of a web page. A suspicious address needs a second confirmation. */
export function PageButtons(props: PageButtonsProps) {
  const decline = (primary: boolean) => (
    <button
      type="button"
      class="btn lg"
      classList={{ primary }}
      aria-keyshortcuts={keyShortcuts("Mod", "Shift", "Backspace")}
      onClick={() => props.onDecline()}
    >
      {t.decline}
    </button>
  );
  return (
    <Show
      when={isOdd(props.page)}
      fallback={
        <>
          <button
            type="button"
            class="btn lg primary"
            aria-keyshortcuts={keyShortcuts("Mod", "Shift", "Enter")}
            onClick={() => props.onOpen()}
          >
            <Icon of={ExternalLink} size="sm" />
            {t.openPage}
          </button>
          <button type="button" class="btn lg" onClick={() => props.onCopy()}>
            {t.copyAddress}
          </button>
          <span class="grow" />
          {decline(false)}
        </>
      }
    >
      <Show
        when={props.sure}
        fallback={
          <>
            {decline(true)}
            <span class="grow" />
            <Show when={!props.page.neverOpens}>
              <button type="button" class="btn lg ghost" onClick={() => props.onSure(true)}>
                {t.openAnyway}
              </button>
            </Show>
          </>
        }
      >
        <button type="button" class="btn lg primary" onClick={() => props.onSure(false)}>
          {t.cancel}
        </button>
        <span class="grow" />
        <button type="button" class="btn lg" onClick={() => props.onOpen()}>
          <Icon of={ExternalLink} size="sm" />
          {t.openPage}
        </button>
      </Show>
    </Show>
  );
}
