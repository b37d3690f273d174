import Brain from "lucide-solid/icons/brain";
import ChevronRight from "lucide-solid/icons/chevron-right";
import { createEffect, createMemo, createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { bytes } from "../../lib/format";
import { durationOf } from "../../state/callActions";
import { wantedMatch } from "../../state/match";
import { useStore } from "../../state/store";
import type { Item } from "../../state/types";
import { Icon } from "../ui/Icon";
import { durationText } from "../ui/time";
import { createText, StreamingText } from "./Message";
import { openStateOf, rememberOpen } from "./viewState";
import "./tool-row.css";

/** Thoughts shows a run of reasoning, initially collapsed. */
export function Thoughts(props: { ids: string[]; inBlock?: boolean }) {
  const state = useStore();
  const key = `thoughts:${props.ids[0]}`;
  const [open, setOpen] = createSignal(openStateOf(key) ?? false);
  const toggle = () => {
    setOpen(!open());
    rememberOpen(key, open());
  };
  createEffect(() => {
    if (!props.ids.includes(wantedMatch()?.itemId ?? "")) return;
    setOpen(true);
    rememberOpen(key, true);
  });
  const items = createMemo(() => props.ids.flatMap((id) => state.items[id] ?? []));
  const label = () => {
    if (items().some((item) => item.open)) return messages.chat.work.thinking;
    const time = items().reduce((sum, item) => sum + durationOf(item), 0);
    return messages.chat.work.thought(time >= 1000 ? durationText(time) : "");
  };
  return (
    <div class="thoughts" classList={{ alone: !props.inBlock }}>
      <button type="button" class="tool" aria-expanded={open()} aria-label={label()} onClick={toggle}>
        <Icon of={Brain} size="sm" />
        <span>{label()}</span>
        <span />
        <Icon of={ChevronRight} size="sm" class="subtle chev" />
      </button>
      <Show when={open()}>
        <div class="thought-text sel">
          <For each={items()}>{(item) => <Thought item={item} />}</For>
        </div>
      </Show>
    </div>
  );
}

/** Thought renders the text of one thought as it was received. */
export function Thought(props: { item: Item }) {
  const text = createText(() => props.item);
  return (
    <p class="typed" data-item={props.item.id}>
      <StreamingText itemId={props.item.id} />
      <Show when={text.missing() > 0 && !props.item.open}>
        <button type="button" class="link show-all" onClick={() => text.pull()}>
          {messages.chat.showMore(bytes(text.missing()))}
        </button>
      </Show>
    </p>
  );
}
