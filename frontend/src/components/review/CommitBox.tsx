// The commit box: the message, the files and the branch of a commit, and its result.

import Check from "lucide-solid/icons/check";
import ChevronDown from "lucide-solid/icons/chevron-down";
import Ellipsis from "lucide-solid/icons/ellipsis";
import GitBranch from "lucide-solid/icons/git-branch";
import RefreshCw from "lucide-solid/icons/refresh-cw";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import Undo2 from "lucide-solid/icons/undo-2";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, on, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { DraftModel } from "../../state/messageDraft";
import type { CommitModel } from "../../state/reviewCommit";
import type { PullModel } from "../../state/reviewPull";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { ReviewCommitFiles } from "../../state/types";
import { Button, IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { isMod, keyShortcuts } from "../ui/Kbd";
import { Menu, type MenuEntry } from "../ui/Menu";
import { Picker, type PickerChoice } from "../ui/Picker";
import { CommitDone } from "./CommitDone";
import { CommitJob } from "./CommitJob";
import { CommitWarnings } from "./CommitWarnings";
import { DraftButton, DraftFailure, DraftState, draftCost, draftedBy } from "./MessageDraft";
import "./commit.css";

const t = messages.reviewCommit;

export interface CommitBoxProps {
  model: CommitModel;
  draft: DraftModel;
  pull: PullModel;
  /** Whether Commit is the screen's primary action. */
  primary: boolean;
  control(control: CommitControl): void;
}

export interface CommitControl {
  focus(): void;
}

/** fileChoices returns the choices for the files to commit. */
export function fileChoices(model: CommitModel): PickerChoice[] {
  const { files } = model.draft();
  const choices: PickerChoice[] = [{ value: "all", label: t.all(model.files.count("all")) }];
  if (model.files.count("viewed") > 0 || files === "viewed")
    choices.push({ value: "viewed", label: t.viewed(model.files.count("viewed")) });
  if (model.files.count("staged") > 0 || files === "staged")
    choices.push({ value: "staged", label: t.staged(model.files.count("staged")) });
  const label = files === "chosen" ? t.chosen(model.files.count("chosen")) : t.choose;
  choices.push({ value: "chosen", label, body: t.chooseHint });
  return choices;
}

/** CommitBox is the form for a commit. It's shown only if the chat's folder is in a repository. */
export function CommitBox(props: CommitBoxProps) {
  const { model } = props;
  let box: HTMLElement | undefined;
  /** The focused element after a call of `focus` while the form wasn't loaded yet, or null. */
  let focusedBefore: Element | null = null;
  const focus = () => {
    const first =
      box?.querySelector<HTMLElement>("textarea") ??
      box?.querySelector<HTMLElement>(".commit-main:not([disabled]), button:not([disabled])");
    (first ?? box)?.focus();
    focusedBefore = model.form() ? null : document.activeElement;
  };
  createEffect(
    on(
      () => model.form() !== undefined || model.failure() !== "",
      (loaded) => {
        if (!loaded || focusedBefore === null) return;
        // In the meantime, the user may have moved the focus.
        if (document.activeElement === focusedBefore) focus();
        focusedBefore = null;
      },
      { defer: true },
    ),
  );
  props.control({ focus });
  onCleanup(() => props.control({ focus: () => {} }));
  const job = createMemo(() => model.jobs.newest());
  const isClean = () => model.uncommitted()?.length === 0;
  /**
   * The kind of content in the box. If the focus is in the old content when the kind changes, it moves to the
   * new content.
   */
  const face = createMemo(() => {
    const now = job();
    if (now?.state === "running" || now?.state === "failed") return now.state;
    return isClean() && model.draft().amend === false ? "clean" : "form";
  });
  let hadFocus = false;
  createEffect(
    on(
      face,
      () => {
        if (hadFocus && !box?.contains(document.activeElement)) queueMicrotask(focus);
      },
      { defer: true },
    ),
  );
  createEffect(
    on(
      () => [job()?.id, job()?.state] as const,
      ([id, state], before) => {
        const now = job();
        if (!now || state === "running" || (before?.[0] === id && before?.[1] === state)) return;
        if (now.commit && model.jobs.takeEnd(now)) props.draft.committed();
        void model.ended(now);
        if (before?.[1] !== "running" || before[0] !== id) return;
        const commit = now.commit?.short;
        if (state === "done" && now.step === "push") model.review.announce(t.pushedAnnounced);
        else if (state === "done" && now.step === "pull")
          model.review.announce(messages.reviewPull.openedAnnounced);
        else if (commit && state === "done") model.review.announce(t.committedAnnounced(commit));
        else
          model.review.announce(
            now.message || (state === "cancelled" ? cancelText(now.step, !!now.commit) : t.failed),
          );
      },
    ),
  );
  createEffect(
    on(
      () => {
        const draft = props.draft.latest();
        return [draft?.id, draft?.state] as const;
      },
      ([id, state], before) => {
        const isUsed = props.draft.ended();
        if (before?.[0] !== id || before?.[1] !== "running") return;
        const draft = messages.reviewDraft;
        if (state === "done") model.review.announce(isUsed ? draft.usedAnnounced : draft.readyAnnounced);
        else if (state === "cancelled") model.review.announce(draft.cancelledAnnounced);
      },
    ),
  );
  // If the form couldn't be loaded, it is loaded again after each reload of the list of files.
  createEffect(
    on(
      () => model.review.list(),
      () => model.failure() !== "" && void model.load(),
      { defer: true },
    ),
  );
  return (
    <Show when={model.isRepository()}>
      <section
        ref={box}
        class="commit"
        tabindex="-1"
        aria-label={t.box}
        onFocusIn={() => {
          hadFocus = true;
        }}
        onFocusOut={(event) => {
          // If the focused element was removed, there's no related target, and the box still counts as focused.
          if (event.relatedTarget) hadFocus = box?.contains(event.relatedTarget as Node) === true;
        }}
      >
        <Show when={model.form()} fallback={<Unknown model={model} />}>
          <Show
            when={(face() === "running" || face() === "failed") && job()}
            fallback={
              <>
                <Show when={model.jobs.committed()}>
                  {(made) => (
                    <CommitDone
                      model={model}
                      pull={props.pull}
                      job={made()}
                      primary={props.primary && face() === "clean"}
                    />
                  )}
                </Show>
                <Show when={job()?.state === "cancelled"}>
                  <p class="commit-line" role="status">
                    {cancelText(job()?.step, job()?.commit !== undefined)}
                  </p>
                </Show>
                <Show when={face() === "form"} fallback={<Clean {...props} />}>
                  <CommitForm {...props} />
                </Show>
              </>
            }
          >
            {(now) => <CommitJob model={model} job={now()} />}
          </Show>
          <Show when={model.problem()}>
            <p class="commit-line bad" role="alert">
              <Icon of={TriangleAlert} size="sm" />
              <span class="grow">{model.problem()}</span>
            </p>
          </Show>
        </Show>
      </section>
    </Show>
  );
}

function cancelText(step: string | undefined, hasCommit: boolean): string {
  if (step === "pull") return t.cancelledPull;
  return step === "push" || hasCommit ? t.cancelledPush : t.cancelled;
}

/** Unknown is shown until the commit form is loaded. */
function Unknown(props: { model: CommitModel }) {
  return (
    <Show
      when={props.model.failure()}
      fallback={
        <p class="commit-line" role="status">
          {t.loading}
        </p>
      }
    >
      <p class="commit-line bad" role="alert">
        <Icon of={TriangleAlert} size="sm" />
        <span class="grow">{props.model.failure()}</span>
      </p>
      <Button onClick={() => void props.model.load()}>{t.tryAgain}</Button>
    </Show>
  );
}

/** Clean is shown if there is nothing to commit. */
function Clean(props: CommitBoxProps) {
  const { model } = props;
  const form = () => model.form();
  const isKnown = () => model.jobs.committed() !== undefined;
  return (
    <>
      <Show when={!isKnown()}>
        <Branch model={model} />
      </Show>
      <CommitWarnings model={model} />
      <div class="commit-row">
        <p class="commit-line grow">{t.nothing}</p>
        <Show when={form()?.last}>
          <Menu
            label={t.more}
            triggerClass="ib sm"
            placement="top-end"
            trigger={<Icon of={Ellipsis} size="sm" />}
            groups={[
              {
                entries: [{ label: t.amend, disabled: !!form()?.message, onSelect: () => model.amend(true) }],
              },
            ]}
          />
        </Show>
      </div>
      <Show when={!isKnown() && ((form()?.ahead ?? 0) > 0 || form()?.compareURL)}>
        <CommitDone model={model} pull={props.pull} job={undefined} primary={props.primary} />
      </Show>
    </>
  );
}

function Branch(props: { model: CommitModel }) {
  const branch = () => visibleText(props.model.form()?.branch ?? "");
  return (
    <div class="commit-to">
      <span class="commit-label">{t.to}</span>
      <Icon of={GitBranch} size="sm" />
      <span class="mono trunc" title={branch()}>
        {branch() || t.noBranch}
      </span>
    </div>
  );
}

function CommitForm(props: CommitBoxProps) {
  const state = useStore();
  const { model } = props;
  const form = () => model.form();
  const draft = model.draft;
  let area: HTMLTextAreaElement | undefined;
  const focusArea = () => area?.focus();
  const by = () => visibleText(select.responder(state, model.chatId));
  const used = () => props.draft.used();
  const source = () => {
    const drafted = used();
    if (drafted) return draftedBy(drafted);
    if (draft().typed && draft().text.trim() !== "") return "";
    if (draft().amend) return t.suggestedLast;
    return model.message.suggestion() === "" ? t.noSuggestion : t.suggested;
  };
  const facts = () => {
    const hooks = form()?.hooks ?? [];
    return [
      ...(form()?.author ? [t.by(visibleText(form()?.author ?? "", "prose"))] : []),
      ...(hooks.length > 0 ? [t.hooks(hooks.map((hook) => visibleText(hook)).join(", "))] : []),
      ...(form()?.signing ? [t.signed] : []),
    ].join(" · ");
  };
  const check = (on: boolean) => <Icon of={Check} size="sm" class={on ? "" : "hid"} />;
  const more = (): MenuEntry[] => {
    const cannot = !model.canCommit();
    const needsRemote = (form()?.remotes.length ?? 0) === 0 || model.remote() === "";
    return [
      {
        label: draft().amend ? t.amendAndPush : t.andPush,
        icon: check(false),
        disabled: cannot || needsRemote,
        onSelect: () => void model.commit("push"),
      },
      {
        label: draft().amend ? t.amendAndPull : t.andPull,
        icon: check(false),
        disabled: cannot || !form()?.compareURL || props.pull.openPull() !== undefined,
        onSelect: () => void model.commit("pull"),
      },
      {
        label: t.amend,
        icon: check(draft().amend),
        checked: draft().amend,
        disabled: form()?.last === undefined || !!form()?.message,
        onSelect: () => model.amend(!draft().amend),
      },
      ...((form()?.ahead ?? 0) > 0
        ? [
            {
              label: t.push(form()?.ahead ?? 0),
              icon: check(false),
              disabled: needsRemote,
              onSelect: () => void model.push(),
            },
          ]
        : []),
    ];
  };
  return (
    <>
      <Branch model={model} />
      <CommitWarnings model={model} />
      <Show when={draft().amend}>
        <div class="commit-amend">
          <span class="grow trunc" title={visibleText(form()?.last?.subject ?? "", "prose")}>
            {t.amending(visibleText(form()?.last?.subject ?? "", "prose"))}
          </span>
          <IconButton small icon={X} label={t.stopAmending} onClick={() => model.amend(false)} />
        </div>
      </Show>
      <div class="commit-message">
        <textarea
          ref={area}
          class="sel"
          aria-label={t.message}
          placeholder={t.messageHint}
          value={model.message.text()}
          onInput={(event) => model.message.type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.isComposing) return;
            if (event.key === "Enter" && isMod(event) && !event.shiftKey) {
              event.preventDefault();
              event.stopPropagation();
              void model.commit();
            } else if (event.key === "z" && isMod(event) && !event.shiftKey && draft().replaced !== "") {
              event.preventDefault();
              event.stopPropagation();
              model.message.takeBack();
            } else if (event.key === "Escape") {
              event.preventDefault();
              event.stopPropagation();
              if (draft().amend) model.amend(false);
              else document.querySelector<HTMLElement>(".rv-scroll")?.focus({ preventScroll: true });
            }
          }}
        />
        <Show when={!props.draft.isRunning()}>
          <div class="commit-sug">
            <span class="grow trunc" title={draftCost(used())}>
              {source()}
            </span>
            <Show when={draft().replaced !== ""}>
              <IconButton
                small
                icon={Undo2}
                label={draft().wasTyped ? t.yourText : messages.reviewDraft.restore}
                onClick={() => model.message.takeBack()}
              />
            </Show>
            <DraftButton model={props.draft} by={by()} />
            <IconButton
              small
              icon={RefreshCw}
              label={t.suggest}
              onClick={() => void model.message.suggest()}
            />
          </div>
        </Show>
        <DraftState model={props.draft} by={by()} onDone={focusArea} />
      </div>
      <DraftFailure model={props.draft} onDone={focusArea} />
      <Show when={facts() !== ""}>
        <p class="commit-facts" title={facts()}>
          {facts()}
        </p>
      </Show>
      <div class="commit-row">
        <Picker
          name={t.files}
          value={draft().files}
          choices={fileChoices(model)}
          onChange={(files) => model.files.select(files as ReviewCommitFiles)}
        />
        <span class="grow" />
        <span class="split-btn">
          <Button
            class="commit-main"
            look={props.primary && model.canCommit() ? "primary" : undefined}
            disabled={!model.canCommit()}
            aria-keyshortcuts={keyShortcuts("Mod", "Shift", "K")}
            onClick={() => void model.commit()}
          >
            {draft().amend ? t.amendCommit : t.commit}
          </Button>
          <Menu
            label={t.more}
            triggerClass={props.primary && model.canCommit() ? "btn primary" : "btn"}
            placement="top-end"
            trigger={<Icon of={ChevronDown} size="sm" />}
            groups={[{ entries: more() }]}
          />
        </span>
      </div>
    </>
  );
}
