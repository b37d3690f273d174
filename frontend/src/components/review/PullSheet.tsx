// The sheet that opens a pull request for the branch.

import { Dialog as Kobalte } from "@kobalte/core/dialog";
import ArrowLeft from "lucide-solid/icons/arrow-left";
import RefreshCw from "lucide-solid/icons/refresh-cw";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import Undo2 from "lucide-solid/icons/undo-2";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createUniqueId, Match, on, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import type { PullModel } from "../../state/reviewPull";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Select } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { isMod, Kbd, keyShortcuts } from "../ui/Kbd";
import { createOpener } from "../ui/opener";
import { outputEnd } from "./CommitJob";
import "../ui/dialog.css";
import "../ui/sheet.css";
import "./pull.css";

const t = messages.reviewPull;

export interface PullSheetProps {
  model: PullModel;
  /** Focuses another element if the one that opened the sheet no longer exists. */
  focusOtherwise(): void;
}

export function PullSheet(props: PullSheetProps) {
  const opener = createOpener();
  let content: HTMLDivElement | undefined;
  const primary = () => content?.querySelector<HTMLElement>("footer .primary");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.key !== "Enter" || !isMod(event) || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    primary()?.click();
  };
  return (
    <Kobalte open={props.model.isOpen()} onOpenChange={(open) => !open && props.model.closeSheet()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="dialog-scrim" />
        <div class="dialog-place">
          <Kobalte.Content
            ref={content}
            class="dialog sheet pull-sheet"
            onKeyDown={onKeyDown}
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              opener.opened();
              primary()?.focus();
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

function Sheet(props: { model: PullModel }) {
  const { model } = props;
  const form = () => model.form();
  const face = createMemo(() => model.face());
  const hasFields = () => face() === "ready" || face() === "compare";
  const remote = () => (form()?.pushes ? visibleText(form()?.remote ?? "") : "");
  const lead = () => {
    const { push = 0, host = "", login = "" } = form() ?? {};
    if (face() === "ready") return t.lead(push, remote(), visibleText(host), visibleText(login));
    return face() === "compare" ? t.leadCompare(push, remote(), visibleText(host)) : "";
  };
  let titleField: HTMLInputElement | undefined;
  const start = () => {
    if (hasFields() && model.title().trim() === "") titleField?.focus();
    void model.start();
  };
  const primary = () => {
    const pushes = form()?.pushes === true;
    switch (face()) {
      case "already":
        return { label: t.show, name: undefined, run: () => void actions.openURL(form()?.pull?.url ?? "") };
      case "blocked":
      case "failed":
        return { label: t.tryAgain, name: undefined, run: () => void model.loadForm() };
      case "compare":
        return pushes
          ? { label: t.pushAndCompare, name: undefined, run: start }
          : { label: t.compare, name: undefined, run: start };
      default:
        return pushes || face() === "loading"
          ? { label: t.pushAndOpen, name: t.pushAndOpenName, run: start }
          : { label: t.open, name: t.openName, run: start };
    }
  };
  const step = () => {
    if (!model.isRunning()) return "";
    return messages.reviewCommit.working[model.job()?.step ?? "pull"];
  };
  const output = createMemo(() => {
    const job = model.job();
    return job?.state === "failed" && job.step === "push" ? outputEnd(job.output).text : "";
  });
  const cannotStart = () => face() === "loading" || model.isRunning();
  return (
    <>
      <header>
        <div class="grow">
          <Kobalte.Title>{t.sheet}</Kobalte.Title>
          <Show when={lead()}>
            <Kobalte.Description>{lead()}</Kobalte.Description>
          </Show>
        </div>
        <IconButton icon={X} label={t.close} onClick={() => model.closeSheet()} />
      </header>
      <div class="sheet-body">
        <Switch
          fallback={
            <p class="pull-state" role="status">
              {t.checking}
            </p>
          }
        >
          <Match when={face() === "failed"}>
            <State strong={t.loadFailed} text={model.reason()} />
          </Match>
          <Match when={face() === "blocked"}>
            <State strong={t.cannot} text={model.reason()} />
          </Match>
          <Match when={face() === "already"}>
            <p class="pull-state" role="status">
              <span>
                <strong>{t.already(form()?.pull?.number ?? 0)}</strong> {t.alreadyBody}
              </span>
            </p>
          </Match>
          <Match when={hasFields()}>
            <Fields model={model} titleField={(element) => (titleField = element)} />
          </Match>
        </Switch>
        <Show when={output()}>
          <pre
            class="commit-output mono sel"
            tabindex="0"
            role="log"
            aria-live="off"
            aria-label={messages.reviewCommit.output}
          >
            {output()}
          </pre>
        </Show>
      </div>
      <footer>
        <Failure text={visibleText(model.problem(), "prose")} />
        <div class="acts">
          <span class="sheet-note" role="status">
            {step() || (hasFields() ? t.note : "")}
          </span>
          <Button
            large
            look="ghost"
            onClick={() => (model.isRunning() ? model.cancel() : model.closeSheet())}
          >
            {hasFields() || face() === "loading" ? t.cancel : t.close}
          </Button>
          <Button
            large
            look="primary"
            aria-label={primary().name}
            aria-disabled={cannotStart()}
            aria-keyshortcuts={hasFields() ? keyShortcuts("Mod", "Enter") : undefined}
            onClick={() => !cannotStart() && primary().run()}
          >
            {primary().label}
            <Show when={hasFields() || face() === "loading"}>
              <Kbd keys={["Mod", "Enter"]} />
            </Show>
          </Button>
        </div>
      </footer>
    </>
  );
}

/** State shows the reason why no pull request can be opened. */
function State(props: { strong: string; text: string }) {
  return (
    <p class="pull-state" role="alert">
      <Icon of={TriangleAlert} />
      <span>
        <strong>{props.strong}</strong>
        <br />
        {visibleText(props.text, "prose")}
      </span>
    </p>
  );
}

function Fields(props: { model: PullModel; titleField(element: HTMLInputElement): void }) {
  const { model } = props;
  const form = () => model.form();
  const ids = {
    title: createUniqueId(),
    body: createUniqueId(),
    into: createUniqueId(),
    from: createUniqueId(),
  };
  const isInvalid = () => model.title().trim() === "";
  const bases = () => {
    const names = form()?.bases ?? [];
    const base = model.base();
    const all = names.includes(base) || base === "" ? names : [base, ...names];
    return [
      ...(base === "" ? [{ value: "", label: t.defaultBranch }] : []),
      ...all.map((name) => ({ value: name, label: visibleText(name) })),
    ];
  };
  const source = () => {
    if (model.draft().body !== undefined) return "";
    if (model.suggestion() === "") return t.noSuggestion;
    const { commits = 1, title = "", fromCommits, fromTemplate } = form() ?? {};
    return t.suggested(
      fromCommits ? Math.max(1, commits) : 0,
      fromTemplate === true,
      model.hasSummary() || (commits > 1 && title !== ""),
    );
  };
  let area: HTMLTextAreaElement | undefined;
  // Scrolls a long suggested text back to its start.
  createEffect(
    on(
      () => model.suggestion(),
      () => area?.scrollTo({ top: 0 }),
    ),
  );
  return (
    <>
      <Show when={model.face() === "compare"}>
        <p class="pull-state" role="status">
          <Icon of={TriangleAlert} />
          <span>{visibleText(model.reason(), "prose")}</span>
        </p>
      </Show>
      <fieldset class="pull-fields" disabled={model.isRunning()}>
        <div class="pull-branches">
          <label class="pull-label" for={ids.into}>
            {t.into}
          </label>
          <label class="pull-label from" for={ids.from}>
            {t.from}
          </label>
          <Select
            id={ids.into}
            label={t.into}
            value={model.base()}
            choices={bases()}
            onChange={(base) => model.setBase(base)}
          />
          <Icon of={ArrowLeft} size="sm" />
          <input
            id={ids.from}
            class="input pull-from mono"
            aria-label={t.from}
            readonly
            value={visibleText(form()?.branch ?? "")}
          />
        </div>
        <label class="pull-label" for={ids.title}>
          {t.title}
        </label>
        <input
          ref={props.titleField}
          id={ids.title}
          class="input"
          aria-label={t.title}
          aria-invalid={isInvalid() && model.problem() !== ""}
          maxLength={256}
          autocomplete="off"
          value={model.title()}
          onInput={(event) => model.setTitle(event.currentTarget.value)}
        />
        <div class="pull-cap">
          <label class="pull-label" for={ids.body}>
            {t.description}
          </label>
          <span class="pull-source trunc">{source()}</span>
          <Show when={model.draft().replaced !== ""}>
            <IconButton small icon={Undo2} label={t.yourText} onClick={() => model.takeBack()} />
          </Show>
          <IconButton small icon={RefreshCw} label={t.suggest} onClick={() => void model.suggest()} />
        </div>
        <textarea
          ref={area}
          id={ids.body}
          class="pull-body sel"
          aria-label={t.description}
          value={model.body()}
          onInput={(event) => model.setBody(event.currentTarget.value)}
        />
        <div class="pull-checks">
          <Show when={model.face() === "ready"}>
            <label class="row">
              <input
                type="checkbox"
                checked={model.draft().draft}
                onChange={(event) => model.setDraft(event.currentTarget.checked)}
              />
              {t.draft}
            </label>
          </Show>
          <Show when={model.requests() !== ""}>
            <label class="row">
              <input
                type="checkbox"
                checked={model.hasSummary()}
                onChange={(event) => model.setSummary(event.currentTarget.checked)}
              />
              {t.summary}
            </label>
          </Show>
        </div>
      </fieldset>
    </>
  );
}
