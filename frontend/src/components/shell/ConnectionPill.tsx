import Circle from "lucide-solid/icons/circle";
import KeyRound from "lucide-solid/icons/key-round";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import ShieldQuestionMark from "lucide-solid/icons/shield-question-mark";
import Unplug from "lucide-solid/icons/unplug";
import WifiOff from "lucide-solid/icons/wifi-off";
import { createSignal, type JSX, Match, Show, Switch } from "solid-js";
import { words } from "../../i18n";
import { createNow } from "../../lib/clock";
import { nowFor } from "../../lib/coarseClock";
import { tilde } from "../../lib/path";
import { usesGitHub } from "../../state/account";
import { actions } from "../../state/actions";
import { signInNeedOf } from "../../state/condition";
import { openSignIn } from "../../state/dialogs";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { trustRequestOf } from "../../state/trust";
import { reviewTrust } from "../../state/trustSheet";
import type { Chat, Connection, ConnectionState } from "../../state/types";
import { hasSomeone, whoOf } from "../account/who";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { Popover } from "../ui/Popover";
import { lasting } from "../ui/when";
import "./connection-pill.css";

const w = words.shell.connection;
const wa = words.account;

/** Values of the pill's `data-state`. */
const pillStates: Record<ConnectionState, "connected" | "reconnecting" | "signin" | "offline" | "idle"> = {
  idle: "idle",
  checking: "reconnecting",
  starting: "reconnecting",
  restoring: "reconnecting",
  ready: "connected",
  waiting: "reconnecting",
  needs_login: "signin",
  needs_trust: "signin",
  failed: "offline",
};

type PillState = (typeof pillStates)[ConnectionState];

/** Shows the sign-in that the agent is started with, and the result of its last check. */
function AccountFacts() {
  const state = useStore();
  const account = () => state.account;
  return (
    <Show when={hasSomeone(account())} fallback={<Fact name={w.account}>{whoOf(account())}</Fact>}>
      <Fact name={w.account}>
        <span class="wrap-any">{whoOf(account())}</span>
      </Fact>
      <Fact name={w.signIn}>{wa.from(account())}</Fact>
      <Fact name={w.lastCheck}>
        <Show when={account().source !== "cli"} fallback={w.notChecked}>
          <Show when={account().checkedAt} fallback={wa.neverChecked}>
            {(at) => (
              <span class="num">{w.checkedFact(wa.ago(nowFor(at()) - at()), wa.checked(account()))}</span>
            )}
          </Show>
        </Show>
      </Fact>
    </Show>
  );
}

function Fact(props: { name: string; children: JSX.Element }) {
  return (
    <div class="fact-row">
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Lasting(props: { since: number }) {
  const now = createNow();
  return <>{lasting(now() - props.since)}</>;
}

function ending(c: Connection): string {
  if (c.exitCode !== undefined) return w.exitCode(c.exitCode);
  return c.signal ? w.signal(c.signal) : "";
}

/** details returns all connection details as plain text, for "Copy details". */
function details(c: Connection): string {
  return [
    `${w.title}: ${c.state}${c.cause ? ` (${c.cause})` : ""}`,
    c.message ?? "",
    c.path ? `${w.program}: ${c.path}` : "",
    c.version ? `${w.version}: ${c.version}` : "",
    c.pid ? `${w.process}: ${c.pid}` : "",
    ending(c) ? `${w.ended}: ${ending(c)}` : "",
    c.stderr ? `${w.stderr}:\n${c.stderr}` : "",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** ConnectionPill shows the connection state of the chat's agent and opens to its details. */
export function ConnectionPill(props: { chat: Chat }) {
  const state = useStore();
  const [open, setOpen] = createSignal(false);
  const connection = () => select.connection(state, props.chat.id);
  const isOffline = () => connection().state === "waiting" && connection().cause === "offline";
  const needsSignIn = () => signInNeedOf(state, props.chat.id) !== undefined;
  const pill = (): PillState => {
    if (needsSignIn()) return "signin";
    return isOffline() ? "offline" : pillStates[connection().state];
  };
  const label = () => {
    if (needsSignIn()) return w.state("needs_login");
    return isOffline() ? w.offline : w.state(connection().state);
  };
  const practice = () => select.isPractice(props.chat);
  const runs = () => ["starting", "restoring", "ready", "waiting"].includes(connection().state);
  const agent = () => select.agentOf(state, props.chat.id);
  const says = () => connection().message || w.cause(connection().cause ?? "", agent());
  return (
    <Popover
      label={w.label(label())}
      title={w.title}
      state={pill()}
      triggerClass="pill"
      class="connection"
      open={open()}
      onOpenChange={setOpen}
      trigger={
        <>
          <Switch>
            <Match when={pill() === "connected"}>
              <i />
            </Match>
            <Match when={pill() === "reconnecting"}>
              <Icon of={LoaderCircle} class="spin" />
            </Match>
            <Match when={pill() === "signin"}>
              <Icon of={needsSignIn() ? KeyRound : ShieldQuestionMark} />
            </Match>
            <Match when={pill() === "offline"}>
              <Icon of={isOffline() ? WifiOff : Unplug} />
            </Match>
            <Match when={pill() === "idle"}>
              <Icon of={Circle} />
            </Match>
          </Switch>
          <span class="lbl">{label()}</span>
        </>
      }
    >
      <p class="connection-state">{label()}</p>
      <Show
        when={says()}
        fallback={
          <Show when={connection().state === "idle"}>
            <p class="muted">{w.idleNote(agent())}</p>
          </Show>
        }
      >
        {(text) => <p class="muted sel">{text()}</p>}
      </Show>
      <dl class="facts sel">
        <Fact name={w.answers}>{select.answerer(state, props.chat)}</Fact>
        <Show when={connection().agent}>{(agent) => <Fact name={w.agent}>{agent()}</Fact>}</Show>
        <Show when={connection().version}>{(version) => <Fact name={w.version}>{version()}</Fact>}</Show>
        <Show when={connection().path}>
          {(path) => (
            <Fact name={w.program}>
              <span class="mono wrap-any">{tilde(path())}</span>
            </Fact>
          )}
        </Show>
        <Show when={connection().pid && connection().startedAt}>
          {(since) => (
            <Fact name={w.process}>
              <span class="num">
                {connection().pid}, <Lasting since={since()} />
              </span>
            </Fact>
          )}
        </Show>
        <Show when={connection().state === "waiting" && connection().nextTryAt}>
          {(at) => (
            <NextTry
              at={at()}
              attempt={connection().attempt ?? 1}
              attempts={connection().attempts ?? state.settings.attempts}
            />
          )}
        </Show>
        <Show when={ending(connection())}>{(text) => <Fact name={w.ended}>{text()}</Fact>}</Show>
        <Show when={usesGitHub(state, props.chat)} fallback={<Fact name={w.signIn}>{w.notChecked}</Fact>}>
          <AccountFacts />
        </Show>
      </dl>
      <Show when={practice()}>
        <p class="muted">{w.practiceNote}</p>
      </Show>
      <Show when={connection().stderr}>
        {(text) => (
          <section aria-label={w.stderr}>
            <p class="cap">{w.stderr}</p>
            <pre class="out tail sel" tabindex="0">
              {text()}
            </pre>
          </section>
        )}
      </Show>
      <div class="row wrap">
        <Show when={needsSignIn() && usesGitHub(state, props.chat)}>
          <Button
            look="primary"
            onClick={() => {
              setOpen(false);
              openSignIn();
            }}
          >
            {wa.signIn}
          </Button>
        </Show>
        <Show when={trustRequestOf(state, props.chat.id)}>
          <Button
            look="primary"
            onClick={() => {
              setOpen(false);
              reviewTrust(props.chat.id);
            }}
          >
            {words.trust.review}
          </Button>
        </Show>
        <Button
          onClick={() => {
            actions.reconnect(props.chat.id);
            setOpen(false);
          }}
        >
          {w.reconnect}
        </Button>
        <Show when={runs()}>
          <Button
            look="ghost"
            onClick={() => {
              actions.stopAgent(props.chat.id);
              setOpen(false);
            }}
          >
            {w.stop(agent())}
          </Button>
        </Show>
        <CopyButton look="ghost" text={details(connection())} label={words.common.copyDetails} />
      </div>
    </Popover>
  );
}

function NextTry(props: { at: number; attempt: number; attempts: number }) {
  const now = createNow();
  return (
    <Fact name={w.nextTry}>
      <span class="num">{w.nextTryFact(lasting(props.at - now()), props.attempt, props.attempts)}</span>
    </Fact>
  );
}
