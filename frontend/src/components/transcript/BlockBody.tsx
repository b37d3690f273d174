// The content of a block: the task, the plan, thoughts, tool calls, images, banners, failed attempts of model
// calls, the session's messages and notes, and the outcome.

import Circle from "lucide-solid/icons/circle";
import CircleCheck from "lucide-solid/icons/circle-check";
import CircleDot from "lucide-solid/icons/circle-dot";
import CornerDownRight from "lucide-solid/icons/corner-down-right";
import {
  createEffect,
  createMemo,
  createSignal,
  For,
  type JSX,
  Match,
  onMount,
  Show,
  Switch,
  untrack,
} from "solid-js";
import { messages } from "../../i18n";
import { timeOf, utf8Size } from "../../lib/format";
import { sameList } from "../../lib/lists";
import { actions } from "../../state/actions";
import { wantedMatch } from "../../state/match";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { stopsOf, type Work as WorkEntry } from "../../state/transcript";
import type { Block, Item, PlanEntry } from "../../state/types";
import { contentsOf } from "../../state/workSummary";
import { EventBanner } from "../banner/EventBanner";
import { Icon } from "../ui/Icon";
import { ContentView } from "./ContentView";
import { CLINote, TurnFailure } from "./Message";
import { createOpenRequests } from "./openRequests";
import { Retries } from "./Retries";
import { Stream } from "./Stream";
import { Thoughts } from "./Thoughts";
import { ToolRow } from "./ToolRow";
import { UserText } from "./UserText";
import { namedText } from "./VisibleText";
import "./delegation-block.css";
import "./plan.css";

/** Number of tool calls shown initially. Each click on the button above them shows this many more. */
const shownTools = 100;
/** Maximum number of a block's items in a snapshot. If the snapshot contains this many, the block may have more. */
const firstItems = 500;

export interface BlockBodyProps {
  chatId: string;
  entry: WorkEntry;
  folder: string;
  /** Whether the block's session is streaming; false while it is waiting for the user. */
  live: boolean;
  /** Called when the user is reading the block, so that it doesn't collapse. */
  onRead(): void;
  ref(element: HTMLDivElement): void;
}

/** BlockBody renders the content of an expanded block. */
export function BlockBody(props: BlockBodyProps) {
  const state = useStore();
  const who = () => select.agentOf(state, props.chatId);
  // The items are read untracked: tracking hundreds of them costs more than iterating over all of them
  // again.
  const parts = createMemo(() => {
    void state.pages[props.chatId]?.rev;
    const found: Partial<Record<Item["kind"] | "retry", string[]>> = {};
    for (const id of props.entry.ids) {
      const item = raw().items[id];
      if (!item || item.hasError) continue;
      const kind = item.retry ? "retry" : item.kind;
      found[kind] ??= [];
      found[kind]?.push(id);
    }
    return found;
  });
  const idsOf = (kind: Item["kind"] | "retry") =>
    createMemo<string[]>(() => parts()[kind] ?? [], [], { equals: sameList });
  const plan = () => raw().items[parts().plan?.at(-1) ?? ""]?.plan;
  const [thoughts, tools, texts, notes, images, banners, retries] = [
    idsOf("thought"),
    idsOf("tool"),
    idsOf("message"),
    idsOf("note"),
    idsOf("image"),
    idsOf("banner"),
    idsOf("retry"),
  ];
  const each = (ids: () => string[], draw: (item: Item) => JSX.Element) => (
    <For each={ids()}>{(id) => <Show when={state.items[id]}>{(item) => draw(item())}</Show>}</For>
  );
  return (
    <div class="cop-body" ref={props.ref}>
      <Show when={state.items[props.entry.blockId]}>
        {(item) => <Show when={item().block}>{(block) => <Request item={item()} block={block()} />}</Show>}
      </Show>
      <Show when={plan()}>{(entries) => <Plan entries={entries()} />}</Show>
      <Show when={thoughts().length > 0}>
        <Thoughts ids={thoughts()} inBlock />
      </Show>
      <Show when={tools().length > 0}>
        <Tools {...props} ids={tools()} />
      </Show>
      <Show when={retries().length > 0}>
        <Retries ids={retries()} />
      </Show>
      {each(notes, (item) => (
        <CLINote item={item} />
      ))}
      {each(images, (item) => (
        <Show when={contentsOf(state, item.id)[0]}>
          {(content) => (
            <ContentView content={content()} folder={props.folder} of={messages.chat.image(who())} />
          )}
        </Show>
      ))}
      <Show when={texts().length > 0}>
        <Stream who={who()} ids={texts()} live={props.live} onRead={props.onRead} />
      </Show>
      {each(banners, (item) => (
        <Show when={item.banner}>{(banner) => <EventBanner item={item} banner={banner()} />}</Show>
      ))}
      <Ending {...props} />
    </div>
  );
}

function Tools(props: BlockBodyProps & { ids: string[] }) {
  const state = useStore();
  const [most, setMost] = createSignal(shownTools);
  const [whole, setWhole] = createSignal(props.entry.ids.length < firstItems);
  const asks = createOpenRequests(() => props.chatId);
  const hidden = () => Math.max(0, props.ids.length - most());
  const shown = createMemo(() => props.ids.slice(hidden()));
  createEffect(() => {
    const at = props.ids.indexOf(wantedMatch()?.itemId ?? "");
    if (at >= 0) setMost((n) => Math.max(n, props.ids.length - at));
  });
  const isCut = () => hidden() > 0 || props.entry.evicted > 0 || (props.entry.blockId !== "" && !whole());
  const load = async () => {
    if (props.entry.evicted > 0) await actions.loadEvicted(props.chatId, props.entry);
    else setWhole(!(await actions.loadBlockItems(props.chatId, props.entry.blockId)));
  };
  const more = () => {
    if (hidden() === 0) {
      load().catch((thrown) => actions.log("warn", `load the beginning of a block: ${thrown.message}`));
    }
    setMost((n) => n + shownTools);
    props.onRead();
  };
  return (
    <div>
      <Show when={isCut()}>
        <button type="button" class="link show-all" onClick={more}>
          {hidden() > 0
            ? messages.blocks.earlierTools(Math.min(hidden(), shownTools))
            : messages.blocks.olderTools}
        </button>
      </Show>
      <ul class="tools" aria-label={messages.chat.work.tools}>
        <For each={shown()}>
          {(id) => (
            <li data-item={id}>
              <Show when={state.items[id]}>
                {(item) => (
                  <Show when={item().tool}>
                    {(tool) => (
                      <ToolRow item={item()} tool={tool()} folder={props.folder} isRequested={asks(id)} />
                    )}
                  </Show>
                )}
              </Show>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}

/** wholeRequest returns the complete task text. */
function wholeRequest(item: Item, block: Block): Promise<string> {
  const content = contentsOf(raw(), item.id)[0];
  if (!content || content.size <= utf8Size(block.prompt)) return Promise.resolve(block.prompt);
  return actions.wholeContent(content.id);
}

/** Request shows the session's task. A task that the user sent is shown as a user message. */
function Request(props: { item: Item; block: Block }) {
  const state = useStore();
  let shown: HTMLParagraphElement | undefined;
  const [whole, setWhole] = createSignal<string>();
  const [failure, setFailure] = createSignal("");
  const [overflows, setOverflows] = createSignal(false);
  const isCut = () => (contentsOf(state, props.item.id)[0]?.size ?? 0) > utf8Size(props.block.prompt);
  const text = () => whole() ?? props.block.prompt;
  onMount(() => setOverflows(!!shown && shown.scrollHeight > shown.clientHeight + 1));
  // Jumping to a match shows the whole task, because the match may be below the two visible lines.
  createEffect(() => {
    const place = wantedMatch();
    if (place?.itemId !== props.item.id || !place.find) return;
    untrack(() => {
      if (whole() === undefined) toggle();
    });
  });
  const toggle = () => {
    setFailure("");
    if (whole() !== undefined) {
      setWhole(undefined);
      return;
    }
    wholeRequest(props.item, props.block).then(setWhole, () => setFailure(messages.blocks.requestFailed));
  };
  const All = () => (
    <>
      <Show when={isCut() || overflows()}>
        <button type="button" class="link show-all" aria-expanded={whole() !== undefined} onClick={toggle}>
          {whole() === undefined ? messages.blocks.showAll : messages.blocks.showLess}
        </button>
      </Show>
      <Show when={failure()}>
        <span class="c-bad" role="alert">
          {failure()}
        </span>
      </Show>
    </>
  );
  return (
    <Show when={text() !== ""}>
      <Show
        when={props.block.toolCallId !== ""}
        fallback={
          <article class="msg user sel" aria-label={messages.chat.you(timeOf(props.item.createdAt))}>
            <p class="typed" classList={{ "request-all": whole() !== undefined }}>
              <UserText text={text()} />
            </p>
            <Show when={isCut()}>
              <All />
            </Show>
          </article>
        }
      >
        <div class="ask">
          <Icon of={CornerDownRight} />
          <div class="request">
            <p
              ref={shown}
              class="sel"
              classList={{ clamp2: whole() === undefined, "typed request-all": whole() !== undefined }}
            >
              {namedText(text(), "prose")}
            </p>
            <All />
          </div>
        </div>
      </Show>
    </Show>
  );
}

const planLooks = {
  completed: { s: "done", icon: CircleCheck },
  in_progress: { s: "now", icon: CircleDot },
  pending: { s: "todo", icon: Circle },
} as const;

/** Plan is a list of steps that are done, in progress or pending. */
export function Plan(props: { entries: PlanEntry[] }) {
  return (
    <ol class="plan" aria-label={messages.chat.work.plan}>
      <For each={props.entries}>
        {(entry) => {
          const look = planLooks[entry.status] ?? planLooks.pending;
          return (
            <li data-s={look.s}>
              <Icon of={look.icon} />
              <span>
                {namedText(entry.content, "prose")}
                <span class="sr">{messages.chat.work.planState[entry.status]}</span>
              </span>
            </li>
          );
        }}
      </For>
    </ol>
  );
}

/** Ending explains why a block didn't finish normally and offers the next step. */
function Ending(props: BlockBodyProps) {
  const state = useStore();
  const item = () => state.items[props.entry.blockId];
  const turn = () => state.turns[props.entry.turnId];
  const error = () => item()?.block?.error ?? turn()?.error;
  const stops = () => {
    const now = item();
    return now ? stopsOf(state, now) : "";
  };
  const agent = () => select.agentOf(state, props.chatId);
  const lead = () =>
    text() === "" || stops() === "declined" ? undefined : messages.model.stoppedWith(agent());
  const text = () => error()?.message ?? (stops() === "declined" ? messages.blocks.declined(agent()) : "");
  // A block is retried in its own session; a turn in the main session is retried by sending its message
  // again.
  const retry = () => {
    const now = item();
    const block = now?.block;
    if (!now || !block) return undefined;
    return (prompt?: string) =>
      (prompt === undefined ? wholeRequest(now, block) : Promise.resolve(prompt)).then((request) =>
        actions.sendTo(props.chatId, props.entry.session, request),
      );
  };
  const isBusy = () =>
    Object.values(state.turns).some(
      (each) =>
        each.chatId === props.chatId &&
        each.state === "running" &&
        (each.session === props.entry.session || each.id === item()?.turnId),
    );
  return (
    <Switch>
      <Match when={props.entry.failed}>
        <TurnFailure
          chatId={props.chatId}
          turnId={props.entry.turnId}
          lead={lead()}
          text={text() || messages.blocks.failed(agent())}
          detail={error()?.detail}
          onRetry={retry()}
          busy={item() ? isBusy() : undefined}
        />
      </Match>
      <Match when={props.entry.state === "stopped" && stops() === "limit"}>
        <TurnFailure
          chatId={props.chatId}
          turnId={props.entry.turnId}
          text={messages.blocks.limit(agent())}
          canContinue
          onRetry={retry()}
          busy={isBusy()}
        />
      </Match>
    </Switch>
  );
}
