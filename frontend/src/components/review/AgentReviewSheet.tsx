// The sheet that asks the chat's agent for a review.

import { Dialog as Kobalte } from "@kobalte/core/dialog";
import X from "lucide-solid/icons/x";
import { createUniqueId, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { AgentReviewModel } from "../../state/reviewAgent";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { MaxReviewFocus } from "../../state/types";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Select } from "../ui/fields";
import { isMod, Kbd, keyShortcuts } from "../ui/Kbd";
import { createOpener } from "../ui/opener";
import "../ui/dialog.css";
import "../ui/sheet.css";
import "./agent-review.css";

const t = messages.reviewAgent;

export interface AgentReviewSheetProps {
  model: AgentReviewModel;
  /** Focuses another element if the one that opened the sheet no longer exists. */
  focusOtherwise(): void;
}

export function AgentReviewSheet(props: AgentReviewSheetProps) {
  const opener = createOpener();
  let content: HTMLDivElement | undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.key !== "Enter" || !isMod(event) || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    void props.model.start();
  };
  return (
    <Kobalte open={props.model.isOpen()} onOpenChange={(open) => !open && props.model.closeSheet()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="dialog-scrim" />
        <div class="dialog-place">
          <Kobalte.Content
            ref={content}
            class="dialog sheet agent-review"
            onKeyDown={onKeyDown}
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
            <Sheet model={props.model} />
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}

function Sheet(props: { model: AgentReviewModel }) {
  const state = useStore();
  const { model } = props;
  const agent = () => visibleText(select.agentOf(state, model.chatId));
  const ids = { model: createUniqueId(), focus: createUniqueId() };
  const models = () => [
    { value: "", label: t.sameModel },
    ...model.models().map(({ id, name }) => ({ value: id, label: visibleText(name) })),
  ];
  return (
    <>
      <header>
        <div class="grow">
          <Kobalte.Title>{t.sheet(agent())}</Kobalte.Title>
          <Kobalte.Description>{t.lead(agent())}</Kobalte.Description>
        </div>
        <IconButton icon={X} label={t.close} onClick={() => model.closeSheet()} />
      </header>
      <div class="sheet-body">
        <Show when={models().length > 1}>
          <label class="field-label" for={ids.model}>
            {t.model}
          </label>
          <Select
            id={ids.model}
            label={t.model}
            value={model.model()}
            choices={models()}
            onChange={(id) => model.setModel(id)}
          />
        </Show>
        <label class="field-label" for={ids.focus}>
          {t.focus}
        </label>
        <textarea
          id={ids.focus}
          class="focus-field sel"
          placeholder={t.focusPlaceholder}
          // The limit is in bytes, and a character takes up to four.
          maxLength={Math.floor(MaxReviewFocus / 4)}
          value={model.focus()}
          onInput={(event) => model.setFocus(event.currentTarget.value)}
        />
      </div>
      <footer>
        <Failure text={visibleText(model.problem(), "prose")} />
        <div class="acts">
          <span class="grow" />
          <Button large look="ghost" onClick={() => model.closeSheet()}>
            {t.cancel}
          </Button>
          <Button
            large
            look="primary"
            aria-disabled={model.isStarting()}
            aria-keyshortcuts={keyShortcuts("Mod", "Enter")}
            onClick={() => void model.start()}
          >
            {t.start}
            <Kbd keys={["Mod", "Enter"]} />
          </Button>
        </div>
      </footer>
    </>
  );
}
