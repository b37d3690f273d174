// The banner above the composer about a current problem. It stays until the problem is solved and can't
// be dismissed.

import Box from "lucide-solid/icons/box";
import CircleX from "lucide-solid/icons/circle-x";
import Folder from "lucide-solid/icons/folder";
import KeyRound from "lucide-solid/icons/key-round";
import LockOpen from "lucide-solid/icons/lock-open";
import RefreshCw from "lucide-solid/icons/refresh-cw";
import ServerCrash from "lucide-solid/icons/server-crash";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import WifiOff from "lucide-solid/icons/wifi-off";
import { createEffect, createSignal, For, type JSX, Match, on, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { tilde } from "../../lib/path";
import { orchestratorFor } from "../../state/account";
import { actions } from "../../state/actions";
import { type ConditionKind, conditionOf } from "../../state/condition";
import { openSignIn } from "../../state/dialogs";
import { go } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { MinCLIVersion } from "../../state/types";
import { AgentSignInBanner } from "../agentsignin/AgentSignInBanner";
import { CheckAgain } from "../firstrun/CheckAgain";
import { InstallButtons } from "../settings/Install";
import { TrustBanner } from "../trust/TrustBanner";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Menu } from "../ui/Menu";
import { Banner } from "./Banner";
import { Countdown } from "./Countdown";
import { InUse } from "./InUse";
import "./banner.css";

/** Code is inline code in a sentence. */
function Code(props: { children: string }) {
  return <span class="ic">{props.children}</span>;
}

/** Condition shows a banner above a chat's composer while the chat has a problem. */
export function Condition(props: { chatId: string }) {
  const state = useStore();
  const kind = () => conditionOf(state, props.chatId);
  return (
    <Show when={kind()}>
      {(now) => (
        <div class="condition">
          <ConditionBanner chatId={props.chatId} kind={now()} />
        </div>
      )}
    </Show>
  );
}

function ConditionBanner(props: { chatId: string; kind: ConditionKind }) {
  const state = useStore();
  const text = messages.chat.condition;
  const chat = () => state.chats[props.chatId];
  const connection = () => select.connection(state, props.chatId);
  const [failure, setFailure] = createSignal("");
  const [log, setLog] = createSignal(props.kind === "exited_start");
  createEffect(
    on(
      () => props.kind,
      (kind) => setLog(kind === "exited_start"),
      { defer: true },
    ),
  );

  const report = (work: Promise<unknown>) => {
    setFailure("");
    work.catch((thrown) => setFailure(thrown.message));
  };
  const again = () => actions.reconnect(props.chatId);
  /**
   * Turns the sandbox off and reconnects the agent. Without the sandbox, the agent starts only once the user
   * has trusted the folder.
   */
  const leaveSandbox = () =>
    actions.applySandbox(props.chatId, { ...chat()?.sandbox, on: false, masked: false }).then(again);
  /** Checks the sign-in again and reconnects the agent. */
  const checkAccount = () => {
    report(actions.checkAccount());
    again();
  };
  /** Continues the chat with an orchestrator, or opens the settings if none is set up. */
  const without = () => {
    const main = orchestratorFor(state);
    if (main === "") go({ name: "settings", page: "account" });
    else report(actions.setOrchestrator(props.chatId, main));
  };
  const agentName = () => {
    const id = chat()?.providerId ?? "";
    return (state.profiles[id] ?? state.providers[id])?.name ?? messages.common.copilot;
  };
  const who = () => select.agentOf(state, props.chatId);
  const stopped = () => (props.kind === "gave_up" ? "gaveUp" : "failed");
  /** Reports whether the agent is the Copilot CLI with a custom model. */
  const isModel = () => state.providers[chat()?.providerId ?? ""] !== undefined;
  const signInStrong = () => {
    switch (state.account.state) {
      case "signed_out":
      case "unknown":
        return text.signIn.first;
      case "wrong_kind":
        return text.signIn.wrongKind;
      default:
        return text.signIn.expired;
    }
  };
  const signInBody = () => {
    const { account } = state;
    if (account.state === "signed_out" || account.state === "unknown") return text.signIn.firstBody;
    if (account.state === "wrong_kind") return account.message ?? ""; // names the source
    return messages.common.sentences(text.signIn.from(account), text.signIn.expiredBody);
  };
  const chooseFile = async () => {
    const path = await actions.pickFile();
    if (path === "") return;
    await actions.saveSettings({ ...state.settings, cliPath: path });
    report(actions.checkCLI());
    again();
  };
  const locate = async () => {
    const path = await actions.pickFolder();
    if (path !== "") await actions.locateFolder(props.chatId, path);
  };
  const ended = () => {
    const c = connection();
    if (c.signal) return text.signal(c.signal);
    return c.exitCode === undefined ? "" : text.exitCode(c.exitCode);
  };
  const found = () =>
    (state.cli.state === "too_old" ? state.cli.version : connection().version) ?? state.cli.version ?? "";
  const searched = () => connection().searched ?? state.cli.searched ?? [];

  const Install = () => <InstallButtons onFailure={setFailure} />;
  /**
   * The installer's output is shown only on the doctor page, because screen readers would announce each line
   * here.
   */
  const InstallFailed = () => (
    <Show when={state.cli.install?.message}>{(why) => <p class="c-bad">{why()}</p>}</Show>
  );
  const Again = (own: { primary?: boolean }) => (
    <Button look={own.primary ? "primary" : undefined} onClick={again}>
      {messages.chat.tryAgain}
    </Button>
  );
  const ShowLog = () => (
    <Show when={connection().stderr}>
      <Button look="ghost" aria-expanded={log()} onClick={() => setLog(!log())}>
        {log() ? text.hideLog : text.showLog}
      </Button>
    </Show>
  );
  const Log = (): JSX.Element => (
    <>
      <Show when={log() && connection().stderr}>
        {(lines) => (
          <section class="disc" aria-label={text.stderr}>
            <pre class="log-lines sel">{lines()}</pre>
          </section>
        )}
      </Show>
      <Failure text={failure()} class="banner-failure c-bad" />
    </>
  );

  return (
    <Switch>
      <Match when={props.kind === "sign_in"}>
        <Banner
          tone="attn"
          label={text.signIn.label}
          icon={KeyRound}
          strong={signInStrong()}
          more={<Log />}
          actions={
            <>
              <Button look="primary" onClick={openSignIn}>
                {text.signIn.do}
              </Button>
              <Show when={!chat()?.mainId}>
                <Button look="ghost" onClick={without}>
                  {text.signIn.without}
                </Button>
              </Show>
            </>
          }
        >
          {signInBody()}
        </Banner>
      </Match>
      <Match when={props.kind === "agent_sign_in" && !isModel()}>
        <AgentSignInBanner
          profileId={chat()?.providerId ?? ""}
          agent={agentName()}
          onCheck={again}
          log={<Log />}
          showLog={<ShowLog />}
        />
      </Match>
      <Match when={props.kind === "agent_sign_in"}>
        <Banner
          tone="attn"
          label={text.signIn.label}
          icon={KeyRound}
          strong={text.agentSignIn.refused(agentName())}
          more={<Log />}
          actions={
            <>
              <Button look="primary" onClick={again}>
                {messages.common.checkAgain}
              </Button>
              <ShowLog />
            </>
          }
        >
          {text.agentSignIn.model}
        </Banner>
      </Match>
      <Match when={props.kind === "trust"}>
        <TrustBanner chatId={props.chatId} />
      </Match>
      <Match when={props.kind === "in_use"}>
        <InUse chatId={props.chatId} />
      </Match>
      <Match when={props.kind === "no_sandbox"}>
        <Banner
          tone="attn"
          label={text.noSandbox.label}
          icon={Box}
          strong={text.noSandbox.strong(who())}
          more={<Log />}
          actions={
            <>
              <Button onClick={() => report(leaveSandbox())}>{text.noSandbox.off}</Button>
              <Button look="ghost" onClick={() => go({ name: "settings", page: "sandbox" })}>
                {text.noSandbox.settings}
              </Button>
            </>
          }
        >
          {connection().message}
        </Banner>
      </Match>
      <Match when={props.kind === "no_access"}>
        <Banner
          tone="bad"
          label={text.noAccess.label}
          icon={KeyRound}
          strong={text.noAccess.strong(state.account.login ?? "")}
          more={<Log />}
          actions={
            <>
              <Button onClick={openSignIn}>{text.noAccess.another}</Button>
              <Button look="ghost" onClick={checkAccount}>
                {messages.common.checkAgain}
              </Button>
            </>
          }
        >
          {text.noAccess.body}
        </Banner>
      </Match>
      <Match when={props.kind === "locked"}>
        <Banner
          tone="attn"
          label={text.locked.label}
          icon={LockOpen}
          strong={text.locked.strong}
          more={<Log />}
          actions={<Button onClick={checkAccount}>{messages.chat.tryAgain}</Button>}
        >
          {text.locked.body}
        </Banner>
      </Match>
      <Match when={props.kind === "offline"}>
        <Banner tone="info" label={text.offline.label} icon={WifiOff} strong={text.offline.strong}>
          {text.offline.body}
        </Banner>
      </Match>
      <Match when={props.kind === "missing" || props.kind === "broken"}>
        <Banner
          tone="bad"
          label={props.kind === "missing" ? text.missing.label : text.failed.label(who())}
          icon={CircleX}
          strong={props.kind === "missing" ? text.missing.strong : text.failed.strong(who())}
          more={
            <>
              <InstallFailed />
              <Show when={props.kind === "missing" && searched().length > 0}>
                <details class="disc searched">
                  <summary>{text.missing.searched}</summary>
                  <ul class="sel">
                    <For each={searched()}>{(place) => <li class="mono">{tilde(place)}</li>}</For>
                  </ul>
                </details>
              </Show>
              <Log />
            </>
          }
          actions={
            <>
              <Install />
              <CheckAgain onFailure={setFailure} onCheck={again} />
              <Button look="ghost" onClick={() => report(chooseFile())}>
                {messages.common.chooseFile}
              </Button>
            </>
          }
        >
          <Show when={props.kind === "missing"} fallback={state.cli.message}>
            {text.missing.before}
            <Code>{messages.common.installCommand}</Code>
            {text.missing.after}
          </Show>
        </Banner>
      </Match>
      <Match when={props.kind === "too_old"}>
        <Banner
          tone="attn"
          label={text.tooOld.label}
          icon={TriangleAlert}
          strong={text.tooOld.strong(found())}
          more={
            <>
              <InstallFailed />
              <Log />
            </>
          }
          actions={
            <>
              <Install />
              <CheckAgain onFailure={setFailure} onCheck={again} />
              <CopyButton
                look="ghost"
                text={messages.common.updateCommand}
                label={messages.common.copyCommand}
              />
            </>
          }
        >
          {text.tooOld.before(state.cli.min || MinCLIVersion)}
          <Code>{messages.common.updateCommand}</Code>
          {text.tooOld.after}
        </Banner>
      </Match>
      <Match when={props.kind === "folder_gone"}>
        <Banner
          tone="attn"
          label={text.folderGone.label}
          icon={Folder}
          strong={text.folderGone.strong(tilde(chat()?.folder ?? ""))}
          more={<Log />}
          actions={
            <>
              <Button look="primary" onClick={() => report(locate())}>
                {text.folderGone.locate}
              </Button>
              <Again />
            </>
          }
        >
          {text.folderGone.body}
        </Banner>
      </Match>
      <Match when={props.kind === "reconnecting"}>
        <Banner
          tone="info"
          label={text.reconnecting.label}
          icon={RefreshCw}
          strong={text.reconnecting.strong(who())}
          more={<Log />}
          actions={
            <>
              <Button onClick={again}>{text.reconnecting.now}</Button>
              <ShowLog />
            </>
          }
        >
          <NextTry
            attempt={connection().attempt ?? 1}
            attempts={connection().attempts ?? state.settings.attempts}
            at={connection().nextTryAt ?? 0}
          />
        </Banner>
      </Match>
      <Match when={true}>
        <Banner
          tone="bad"
          label={props.kind === "provider" ? text.provider.label : text[stopped()].label(who())}
          icon={ServerCrash}
          strong={props.kind === "provider" ? text.provider.strong : text[stopped()].strong(who())}
          more={<Log />}
          actions={
            <>
              <Again primary />
              <Show when={props.kind === "provider"}>
                <Menu
                  label={text.provider.other}
                  triggerClass="btn"
                  placement="top-start"
                  trigger={text.provider.other}
                  groups={[
                    {
                      entries: select.responders(state).map((each) => ({
                        label: each.name,
                        onSelect: () => report(actions.setProvider(props.chatId, each.id).then(again)),
                      })),
                    },
                  ]}
                />
              </Show>
              <ShowLog />
            </>
          }
        >
          <Switch fallback={messages.common.sentences(connection().message ?? "", text.failed.saved)}>
            <Match when={props.kind === "gave_up"}>
              {text.gaveUp.body(connection().attempts || state.settings.attempts, ended())}
            </Match>
            <Match when={props.kind === "exited_start"}>{text.exitedStart.body(ended())}</Match>
            <Match when={props.kind === "provider"}>{text.provider.body}</Match>
          </Switch>
        </Banner>
      </Match>
    </Switch>
  );
}

function NextTry(props: { attempt: number; attempts: number; at: number }) {
  return (
    <Countdown
      at={props.at}
      clock={(left) => (left > 0 ? messages.units.seconds(left) : "")}
      text={(left) => messages.chat.condition.reconnecting.body(props.attempt, props.attempts, left)}
    />
  );
}
