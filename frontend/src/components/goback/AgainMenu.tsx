// The menu that sends a turn's message again to another model.

import ChevronDown from "lucide-solid/icons/chevron-down";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { tryAgainWith } from "../../state/goBack";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { isModel } from "../composer/options";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";

const t = messages.goBack;

/**
 * AgainMenu lists the other models of the chat's main session. It shows nothing if there are none, if an
 * orchestrator answers in the chat, or while a turn is running.
 */
export function AgainMenu(props: { chatId: string; turnId: string }) {
  const state = useStore();
  const option = () =>
    state.chats[props.chatId]?.mainId
      ? undefined
      : select.mainSession(state, props.chatId)?.options?.find(isModel);
  const others = () => (option()?.choices ?? []).filter((choice) => choice.id !== option()?.value);
  return (
    <Show when={others().length > 0 && state.chats[props.chatId]?.turnState !== "running"}>
      <Menu
        label={t.again}
        title={t.again}
        triggerClass="ib sm again"
        trigger={<Icon of={ChevronDown} size="sm" />}
        groups={[
          {
            caption: t.again,
            entries: others().map((choice) => ({
              label: visibleText(choice.name),
              onSelect: () => void tryAgainWith(props.turnId, option()?.id ?? "", choice.id),
            })),
          },
        ]}
      />
    </Show>
  );
}
