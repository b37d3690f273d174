import CircleAlert from "lucide-solid/icons/circle-alert";
import CircleCheck from "lucide-solid/icons/circle-check";
import CircleX from "lucide-solid/icons/circle-x";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { SandboxNetwork, SandboxSettings, SandboxState, WhenBlocked } from "../../state/types";
import { Button } from "../ui/Button";
import { Command } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Radios, Select, Switch } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { createSave, Row } from "./parts";
import { HiddenPlaces, LocalPorts, Sites, WritablePlaces } from "./SandboxLists";
import "./sandbox.css";

const t = messages.sandbox.settings;

const whenBlocked: readonly { value: WhenBlocked; label: string }[] = [
  { value: "ask", label: t.whenBlockedChoices.ask },
  { value: "keep", label: t.whenBlockedChoices.keep },
];
const networks: readonly { value: SandboxNetwork; label: string }[] = [
  { value: "off", label: t.reachChoices.off },
  { value: "sites", label: t.reachChoices.sites },
  { value: "on", label: t.reachChoices.on },
];

/** Sandbox shows whether the sandbox works on this computer, and the settings of all chats that use it. */
export function Sandbox() {
  const state = useStore();
  const { save, failure } = createSave();
  const own = () => state.settings.sandbox;
  const change = (changed: Partial<SandboxSettings>) => save({ sandbox: { ...own(), ...changed } });
  return (
    <>
      <p class="muted set-lead">{t.lead}</p>
      <Here />
      <Row label={t.newChats} fact={t.newChatsFact}>
        <Switch
          label={t.newChats}
          on={own().newChats}
          disabled={state.sandbox.state !== "ready" && !own().newChats}
          onChange={(newChats) => void change({ newChats })}
        />
      </Row>
      <Row label={t.whenBlocked}>
        <Select
          label={t.whenBlocked}
          value={own().whenBlocked}
          choices={whenBlocked}
          onChange={(when) => void change({ whenBlocked: when })}
        />
      </Row>
      <Failure text={failure()} />
      <h2>{t.files}</h2>
      <WritablePlaces own={own()} onChange={change} />
      <HiddenPlaces own={own()} onChange={change} />
      <Row label={t.environment} fact={t.environmentFact}>
        <Switch
          label={t.leaveOut}
          on={!own().keepSecrets}
          onChange={(leaveOut) => void change({ keepSecrets: !leaveOut })}
        />
      </Row>
      <h2>{t.network}</h2>
      <Row label={t.reach}>
        <Radios
          class="seg"
          label={t.network}
          value={own().network}
          choices={networks}
          onChange={(network) => void change({ network })}
        />
      </Row>
      <Sites own={own()} onChange={change} />
      <LocalPorts own={own()} onChange={change} />
    </>
  );
}

const glyphs = {
  checking: { icon: LoaderCircle, class: "spin subtle" },
  ready: { icon: CircleCheck, class: "c-ok" },
  limited: { icon: CircleAlert, class: "c-attn" },
  unavailable: { icon: CircleX, class: "c-bad" },
} satisfies Record<SandboxState, unknown>;

/**
 * Here renders the settings row that shows whether the sandbox works on this computer, with a button that repeats the
 * test.
 */
function Here() {
  const state = useStore();
  const [failure, setFailure] = createSignal("");
  const status = () => state.sandbox;
  const test = () => {
    setFailure("");
    actions.checkSandbox().catch((thrown) => setFailure(thrown.message));
  };
  const glyph = () => glyphs[status().state];
  return (
    <>
      <Row
        first
        label={t.here}
        fact={
          <Show
            when={status().problem}
            fallback={<Show when={status().program}>{(program) => t.hereFact(visibleText(program()))}</Show>}
          >
            {(problem) => <span class="c-bad">{visibleText(problem(), "prose")}</span>}
          </Show>
        }
        failure={failure()}
      >
        <span class="row sandbox-here">
          <span class="row status" role="status">
            <Icon of={glyph().icon} size="sm" class={glyph().class} />
            <span class={glyph().class.replace("spin ", "")}>{t.states[status().state]}</span>
          </span>
          <Button large disabled={status().state === "checking"} onClick={test}>
            {t.test}
          </Button>
        </span>
      </Row>
      <Show when={status().fix}>
        {(fix) => (
          <div class="sandbox-fix">
            <p class="muted">{t.fix}</p>
            <Command text={fix()} label={t.copyFix} />
          </div>
        )}
      </Show>
      <Show when={status().limits?.length ? status().limits : undefined}>
        {(limits) => (
          <section class="sandbox-limits" aria-label={t.limits}>
            <p>{t.limits}</p>
            <ul>
              <For each={limits()}>{(limit) => <li>{visibleText(limit, "prose")}</li>}</For>
            </ul>
          </section>
        )}
      </Show>
    </>
  );
}
