import Hourglass from "lucide-solid/icons/hourglass";
import { Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { notify } from "../../state/notices";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { Menu } from "../ui/Menu";
import { clock } from "../ui/time";
import { Banner } from "./Banner";
import { Countdown } from "./Countdown";
import { detailOf, type PartProps } from "./facts";

/**
 * Paused is shown for as long as a model provider's rate limit lasts. If the user selects another model or
 * orchestrator in the meantime, the turn continues immediately.
 */
export function Paused(props: PartProps) {
  const state = useStore();
  const text = messages.chat.banner.paused;
  const main = () => state.providers[state.turns[props.item.turnId ?? ""]?.mainId ?? ""];
  const use = async (model: string) => {
    const provider = main();
    if (!provider) return;
    try {
      await actions.saveProvider({ ...unwrap(provider), model }, "");
      await actions.checkProvider(provider.id);
    } catch (thrown) {
      const detail = thrown instanceof Error ? thrown.message : "";
      notify({ id: "model", text: messages.settings.saveFailed, detail, failed: true });
    }
  };
  const models = () =>
    (main()?.models ?? [])
      .filter((model) => model !== main()?.model)
      .map((model) => ({
        label: model,
        fact: main()?.name,
        onSelect: () => use(model),
      }));
  const others = () =>
    Object.values(state.providers)
      .filter((provider) => provider.id !== main()?.id)
      .sort((a, b) => a.createdAt - b.createdAt)
      .map((provider) => ({
        label: provider.model,
        fact: provider.name,
        onSelect: () => actions.selectResponder(props.item.chatId, { main: provider.id }),
      }));
  const groups = () => [models(), others()].filter((each) => each.length > 0).map((entries) => ({ entries }));
  return (
    <Banner
      tone="attn"
      label={text.label}
      icon={Hourglass}
      strong={text.strong(detailOf(props.banner))}
      actions={
        <>
          <Show when={groups().length > 0}>
            <Menu label={text.change} triggerClass="btn" trigger={text.change} groups={groups()} />
          </Show>
          <Button look="ghost" onClick={() => actions.stop(props.item.chatId)}>
            {text.cancel}
          </Button>
        </>
      }
    >
      <Countdown at={props.banner.nextTryAt ?? 0} clock={(left) => clock(left * 1000)} text={text.body} />
    </Banner>
  );
}
