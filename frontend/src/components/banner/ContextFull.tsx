// The banner that warns of an almost full context window. A banner about a problem takes precedence,
// because only one banner fits above the composer.

import Gauge from "lucide-solid/icons/gauge";
import { createEffect, createMemo, Show } from "solid-js";
import { messages } from "../../i18n";
import { failureOf } from "../../state/actions";
import { chatActions } from "../../state/chatActions";
import { conditionOf } from "../../state/condition";
import {
  contextOf,
  dismissWarning,
  percentOf,
  resetWarning,
  shouldWarn,
  warnPercent,
} from "../../state/context";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { Banner } from "./Banner";

export function ContextFull(props: { chatId: string }) {
  const state = useStore();
  const text = messages.chat.condition.full;
  const use = createMemo(() => contextOf(state, props.chatId));
  const percent = () => percentOf(use());
  createEffect(() => {
    if (use() && percent() < warnPercent) resetWarning(props.chatId);
  });
  const chat = () =>
    !failureOf(props.chatId) && !conditionOf(state, props.chatId) && shouldWarn(props.chatId, percent())
      ? state.chats[props.chatId]
      : undefined;
  return (
    <Show when={chat()}>
      {(full) => (
        <div class="condition">
          <Banner
            tone="attn"
            label={text.label}
            icon={Gauge}
            strong={text.strong}
            onDismiss={() => dismissWarning(props.chatId, percent())}
            actions={
              <Button onClick={() => chatActions.continueInNewChat(full())}>
                {messages.shell.continueInNewChat}
              </Button>
            }
          >
            {text.body}
          </Banner>
        </div>
      )}
    </Show>
  );
}
