// The bar of the Review screen: the source of the changes, the user's progress, and the display options.

import ArrowLeft from "lucide-solid/icons/arrow-left";
import Check from "lucide-solid/icons/check";
import ChevronDown from "lucide-solid/icons/chevron-down";
import Ellipsis from "lucide-solid/icons/ellipsis";
import FileDiff from "lucide-solid/icons/file-diff";
import { createEffect, createMemo, createSignal, Show } from "solid-js";
import { api } from "../../bridge";
import { messages } from "../../i18n";
import { timeOf, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import type { ReviewModel } from "../../state/review";
import type { AgentReviewModel } from "../../state/reviewAgent";
import type { PullModel } from "../../state/reviewPull";
import { leaveReview, openReview } from "../../state/reviewScreen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Chat, ReviewSources } from "../../state/types";
import { PlusMinus } from "../inspector/ChangedFiles";
import { titleOf } from "../shell/ChatRow";
import { IconButton } from "../ui/Button";
import { Radios } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";
import { Picker, type PickerChoice } from "../ui/Picker";
import { PullStatus } from "./PullStatus";

const t = messages.review;

export interface ReviewHeaderProps {
  model: ReviewModel;
  pull: PullModel;
  agentReview: AgentReviewModel;
  chat: Chat;
  narrow: boolean;
  split: boolean;
  wrap: boolean;
  onSplit(split: boolean): void;
  onWrap(wrap: boolean): void;
  onFind(): void;
  onOpenFiles(): void;
}

/** sourceChoices returns the choices of the source picker. They always include the current source. */
export function sourceChoices(sources: ReviewSources | undefined, now: string): PickerChoice[] {
  const choices: PickerChoice[] = [{ value: "chat", label: t.sources.chat }];
  if (sources?.repository) {
    choices.push({ value: "working", label: t.sources.working });
    if (sources.base !== "")
      choices.push({ value: "base", label: t.sources.base(visibleText(sources.base)) });
  }
  for (const turn of sources?.turns ?? [])
    choices.push({
      value: `turn:${turn.id}`,
      label: t.sources.turnAt(timeOf(turn.at)),
      body: t.sources.turn(visibleText(turn.text, "prose"), turn.files),
      group: t.sources.turns,
    });
  for (const commit of sources?.commits ?? [])
    choices.push({
      value: `commit:${commit.sha}`,
      label: t.sources.commit(commit.short, visibleText(commit.subject, "prose")),
      group: t.sources.commits,
    });
  if (!choices.some((choice) => choice.value === now)) choices.push(ofUnknown(now));
  return choices;
}

function ofUnknown(source: string): PickerChoice {
  if (source === "working") return { value: source, label: t.sources.working };
  if (source === "base") return { value: source, label: t.sources.base("…") };
  const isTurn = source.startsWith("turn:");
  return { value: source, label: isTurn ? t.sources.thisTurn : t.sources.oneCommit };
}

export function ReviewHeader(props: ReviewHeaderProps) {
  const state = useStore();
  const [sources, setSources] = createSignal<ReviewSources>();
  createEffect(() => {
    if (!props.model.isOpened()) return;
    api
      .reviewSources(props.model.chatId)
      .then(setSources, (thrown) => actions.log("warn", `review: sources: ${thrown.message}`));
  });
  const list = () => props.model.list();
  const files = createMemo(() => {
    props.model.rev();
    list();
    return props.model.files.filter((file) => !file.isGone).length;
  });
  const check = (on: boolean) => <Icon of={Check} size="sm" class={on ? "" : "hid"} />;
  const [hidesWhitespace, setHidesWhitespace] = createSignal(false);
  return (
    <header class="bar">
      <IconButton icon={ArrowLeft} label={t.back} aria-keyshortcuts="Escape" onClick={leaveReview} />
      <h1 class="title">{t.title}</h1>
      <Show when={props.narrow}>
        <button
          type="button"
          class="pick"
          aria-haspopup="dialog"
          aria-label={t.openFiles(files(), props.model.viewed())}
          onClick={() => props.onOpenFiles()}
        >
          <Icon of={FileDiff} />
          <span>{t.files(files())}</span>
          <Icon of={ChevronDown} class="cv" />
        </button>
      </Show>
      <Show when={!props.narrow}>
        <span class="crumb trunc">
          <span class="trunc">{titleOf(props.chat)}</span>
        </span>
      </Show>
      <Picker
        name={t.source}
        value={props.model.source}
        choices={sourceChoices(sources(), props.model.source)}
        onChange={(source) => openReview(props.model.chatId, source)}
      />
      <Show when={!props.narrow && list()}>
        {(known) => (
          <>
            <span class="num muted rv-small-text">{t.files(files())}</span>
            <Show when={!known().partial}>
              <span class="rv-small-text">
                <PlusMinus {...props.model.totals()} />
              </span>
            </Show>
          </>
        )}
      </Show>
      <PullStatus model={props.pull} narrow={props.narrow} />
      <span class="grow" />
      <Show when={!props.narrow}>
        <Show when={files() > 0}>
          <span class="row rv-progress num muted" role="status" aria-label={t.viewedFiles}>
            <span class="rv-meter" aria-hidden="true">
              <i style={{ width: `${(100 * props.model.viewed()) / Math.max(files(), 1)}%` }} />
            </span>
            {t.viewedOf(props.model.viewed(), files())}
          </span>
        </Show>
        <Radios
          label={t.layout}
          class="seg"
          value={props.split ? "split" : "unified"}
          choices={[
            { value: "unified", label: t.unified },
            { value: "split", label: t.split },
          ]}
          onChange={(layout) => props.onSplit(layout === "split")}
        />
      </Show>
      <Menu
        label={t.options}
        triggerClass="ib"
        placement="bottom-end"
        trigger={<Icon of={Ellipsis} />}
        groups={[
          {
            entries: [
              {
                label: messages.reviewAgent.ask(visibleText(select.agentOf(state, props.model.chatId))),
                icon: check(false),
                disabled: files() === 0 || props.agentReview.isRunning(),
                onSelect: () => props.agentReview.openSheet(),
              },
            ],
          },
          {
            entries: [
              {
                label: t.wrap,
                icon: check(props.wrap),
                checked: props.wrap,
                onSelect: () => props.onWrap(!props.wrap),
              },
              {
                label: t.hideWhitespace,
                icon: check(hidesWhitespace()),
                checked: hidesWhitespace(),
                onSelect: () => {
                  setHidesWhitespace(!hidesWhitespace());
                  props.model.hideWhitespace(hidesWhitespace());
                },
              },
            ],
          },
          {
            entries: [
              { label: t.find, icon: check(false), onSelect: () => props.onFind() },
              { label: t.reload, icon: check(false), onSelect: () => void props.model.reloadChanged() },
            ],
          },
        ]}
      />
    </header>
  );
}
