// The sandbox of a chat, below its permission modes.

import Box from "lucide-solid/icons/box";
import { onMount, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import {
  isFindingSites,
  isOffered,
  isPossible,
  isSandboxed,
  isWhole,
  namedSites,
  networkOf,
  sitesOf,
} from "../../state/sandbox";
import { go } from "../../state/screen";
import { useStore } from "../../state/store";
import type { Sandbox, SandboxNetwork } from "../../state/types";
import { Radios, Select, Switch } from "../ui/fields";
import { Icon } from "../ui/Icon";
import "./permission-picker.css";

const t = messages.sandbox;

type Write = keyof typeof t.write;
const writes: readonly { value: Write; label: string }[] = [
  { value: "temp", label: t.write.temp },
  { value: "folder", label: t.write.folder },
  { value: "more", label: t.write.more },
];
const networks: readonly { value: SandboxNetwork; label: string }[] = [
  { value: "off", label: t.networks.off },
  { value: "sites", label: t.networks.sites },
  { value: "on", label: t.networks.on },
];

export interface SandboxControlsProps {
  agentId: string;
  /** The name of the agent. */
  agent: string;
  sandbox: Sandbox;
  onChange: (sandbox: Sandbox) => void;
  /** Called before the settings open, to close the panel that contains the controls. */
  onLeave: () => void;
}

/**
 * SandboxControls shows the sandbox switch and, while the sandbox is on, the files and sites that commands
 * may use. If the sandbox isn't available, it shows the reason. The switch is then shown only if it is still
 * on, so that the user can turn it off.
 */
export function SandboxControls(props: SandboxControlsProps) {
  const state = useStore();
  const offered = () => isOffered(state, props.agentId);
  const on = () => isSandboxed(state, props.agentId, props.sandbox);
  const whole = () => isWhole(state, props.agentId);
  const run = () => (whole() ? t.runAgent(props.agent) : t.run);
  const toSettings = () => {
    props.onLeave();
    go({ name: "settings", page: "sandbox" });
  };
  const reason = () => {
    if (!isPossible(state, props.agentId)) return t.notFor(props.agent);
    if (state.sandbox.state === "checking") return t.checking;
    const problem = visibleText(state.sandbox.problem || t.unavailable);
    return on() ? t.refused(problem) : problem;
  };
  return (
    <>
      <Show when={offered() || on()}>
        <div class="opt sbx-run">
          <Icon of={Box} size="sm" />
          <strong class="grow">{run()}</strong>
          <Switch
            label={run()}
            on={on()}
            onChange={(turned) => props.onChange({ ...props.sandbox, on: turned })}
          />
        </div>
      </Show>
      <Show when={offered() && !on()}>
        <p class="ds sbx-fact">{whole() ? t.recommendedAgent(props.agent) : t.recommended}</p>
      </Show>
      <Show when={!offered()}>
        <p class="sbx-off">
          <Show when={!on()}>
            <Icon of={Box} size="sm" />
          </Show>
          <span>
            {reason()}{" "}
            <button type="button" class="link" onClick={toSettings}>
              {t.openSettings}
            </button>
          </span>
        </p>
      </Show>
      <Show when={offered() && on()}>
        <div class="sbx">
          <span>{t.mayWrite}</span>
          <Select
            label={t.mayWrite}
            value={props.sandbox.onlyFolder ? "folder" : ("temp" as Write)}
            choices={writes}
            onChange={(write) => {
              if (write === "more") toSettings();
              else props.onChange({ ...props.sandbox, onlyFolder: write === "folder" });
            }}
          />
          <Show when={!whole()} fallback={<p class="ds sbx-sites">{t.agentBody(props.agent)}</p>}>
            <span>{t.network}</span>
            <Radios
              label={t.network}
              class="seg small"
              value={networkOf(state, props.sandbox)}
              choices={networks}
              onChange={(network) => props.onChange({ ...props.sandbox, network })}
            />
            <Show when={networkOf(state, props.sandbox) === "sites"}>
              <Sites sandbox={props.sandbox} onMore={toSettings} />
            </Show>
            <span>{t.whole.label(props.agent)}</span>
            <Switch
              label={t.whole.label(props.agent)}
              on={props.sandbox.wholeAgent === true || props.sandbox.masked === true}
              disabled={props.sandbox.masked}
              onChange={(wholeAgent) => props.onChange({ ...props.sandbox, wholeAgent })}
            />
            <p class="ds sbx-sites">{t.whole.body(props.agent)}</p>
          </Show>
        </div>
      </Show>
    </>
  );
}

/** Sites lists some of the sites that commands may reach, with a link to the complete list. */
function Sites(props: { sandbox: Sandbox; onMore: () => void }) {
  const state = useStore();
  onMount(actions.findSandboxSites);
  const sites = () => namedSites(sitesOf(state, props.sandbox).map((site) => visibleText(site)));
  const Link = (link: { label: string }) => (
    <button type="button" class="link" onClick={() => props.onMore()}>
      {link.label}
    </button>
  );
  return (
    <p class="ds sbx-sites">
      <Show
        when={sites().names.length > 0}
        fallback={
          <Show when={!isFindingSites(state.sandbox)} fallback={t.findingSites}>
            {t.noSites} <Link label={t.addSites} />
          </Show>
        }
      >
        <Show when={sites().more > 0} fallback={t.sites(sites().names)}>
          {t.sitesBefore(sites().names)}
          <Link label={t.sitesMore(sites().more)} />
        </Show>
      </Show>
    </p>
  );
}
