import Circle from "lucide-solid/icons/circle";
import KeyRound from "lucide-solid/icons/key-round";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import ShieldQuestionMark from "lucide-solid/icons/shield-question-mark";
import Unplug from "lucide-solid/icons/unplug";
import WifiOff from "lucide-solid/icons/wifi-off";
import { createSignal, type JSX, Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { createNow } from "../../lib/clock";
import { coarseNow } from "../../lib/coarseClock";
import { tilde } from "../../lib/path";
import { usesGitHub } from "../../state/account";
import { actions } from "../../state/actions";
import { reconnect } from "../../state/chatActions";
import { signInNeedOf } from "../../state/condition";
import { openSignIn } from "../../state/dialogs";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { trustRequestOf } from "../../state/trust";
import { reviewTrust } from "../../state/trustSheet";
import type { Chat, Connection, ConnectionState } from "../../state/types";
import { accountName, hasSignIn } from "../account/accountName";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { Popover } from "../ui/Popover";
import { durationText } from "../ui/time";
import "./connection-pill.css";

const t = messages.shell.connection;
const tAccount = messages.account;

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

/**
 * AccountFacts shows the sign-in that the agent is started with, and the result of the last check of that
 * sign-in.
 */
function AccountFacts() {
  const state = useStore();
  const account = () => state.account;
  return (
    <Show when={hasSignIn(account())} fallback={<Fact name={t.account}>{accountName(account())}</Fact>}>
      <Fact name={t.account}>
        <span class="wrap-any">{accountName(account())}</span>
      </Fact>
      <Fact name={t.signIn}>{tAccount.from(account())}</Fact>
      <Fact name={t.lastCheck}>
        <Show when={account().source !== "cli"} fallback={t.notChecked}>
          <Show when={account().checkedAt} fallback={tAccount.neverChecked}>
            {(at) => (
              <span class="num">
                {t.checkedFact(tAccount.ago(coarseNow(at()) - at()), tAccount.checked(account()))}
              </span>
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

function Duration(props: { since: number }) {
  const now = createNow();
  return <>{durationText(now() - props.since)}</>;
}

function exitText(c: Connection): string {
  if (c.exitCode !== undefined) return t.exitCode(c.exitCode);
  return c.signal ? t.signal(c.signal) : "";
}

/** details returns the state of the connection and of the agent's process as text, for "Copy details". */
function details(c: Connection): string {
  return [
    `${t.title}: ${c.state}${c.cause ? ` (${c.cause})` : ""}`,
    c.message ?? "",
    c.path ? `${t.program}: ${c.path}` : "",
    c.version ? `${t.version}: ${c.version}` : "",
    c.pid ? `${t.process}: ${c.pid}` : "",
    exitText(c) ? `${t.exitedWith}: ${exitText(c)}` : "",
    c.stderr ? `${t.stderr}:\n${c.stderr}` : "",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** ConnectionPill shows the state of the chat's connection to its agent. Clicking it opens the details. */
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
    if (needsSignIn()) return t.state("needs_login");
    return isOffline() ? t.offline : t.state(connection().state);
  };
  const practice = () => select.isPractice(props.chat);
  const runs = () => ["starting", "restoring", "ready", "waiting"].includes(connection().state);
  const agent = () => select.agentOf(state, props.chat.id);
  const says = () => connection().message || t.cause(connection().cause ?? "", agent());
  return (
    <Popover
      label={t.label(label())}
      title={t.title}
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
            <p class="muted">{t.idleNote(agent())}</p>
          </Show>
        }
      >
        {(text) => <p class="muted sel">{text()}</p>}
      </Show>
      <dl class="facts sel">
        <Fact name={t.answeredBy}>{select.modelOrAgent(state, props.chat)}</Fact>
        <Show when={connection().agent}>{(agent) => <Fact name={t.agent}>{agent()}</Fact>}</Show>
        <Show when={connection().version}>{(version) => <Fact name={t.version}>{version()}</Fact>}</Show>
        <Show when={connection().path}>
          {(path) => (
            <Fact name={t.program}>
              <span class="mono wrap-any">{tilde(path())}</span>
            </Fact>
          )}
        </Show>
        <Show when={connection().pid && connection().startedAt}>
          {(since) => (
            <Fact name={t.process}>
              <span class="num">
                {connection().pid}, <Duration since={since()} />
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
        <Show when={exitText(connection())}>{(text) => <Fact name={t.exitedWith}>{text()}</Fact>}</Show>
        <Show when={usesGitHub(state, props.chat)} fallback={<Fact name={t.signIn}>{t.notChecked}</Fact>}>
          <AccountFacts />
        </Show>
      </dl>
      <Show when={practice()}>
        <p class="muted">{t.practiceNote}</p>
      </Show>
      <Show when={connection().stderr}>
        {(text) => (
          <section aria-label={t.stderr}>
            <p class="cap">{t.stderr}</p>
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
            {tAccount.signIn}
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
            {messages.trust.review}
          </Button>
        </Show>
        <Button
          onClick={() => {
            setOpen(false);
            reconnect(props.chat);
          }}
        >
          {t.reconnect}
        </Button>
        <Show when={runs()}>
          <Button
            look="ghost"
            onClick={() => {
              actions.stopAgent(props.chat.id);
              setOpen(false);
            }}
          >
            {t.stop(agent())}
          </Button>
        </Show>
        <CopyButton look="ghost" text={details(connection())} label={messages.common.copyDetails} />
      </div>
    </Popover>
  );
}

function NextTry(props: { at: number; attempt: number; attempts: number }) {
  const now = createNow();
  return (
    <Fact name={t.nextTry}>
      <span class="num">{t.nextTryFact(durationText(props.at - now()), props.attempt, props.attempts)}</span>
    </Fact>
  );
}
