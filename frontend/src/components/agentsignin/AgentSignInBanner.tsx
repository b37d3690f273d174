import KeyRound from "lucide-solid/icons/key-round";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createSignal, For, Index, type JSX, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { needsDialog, openAgentSignIn, usableMethods } from "../../state/agentSignIn";
import { useStore } from "../../state/store";
import type { AuthMethod } from "../../state/types";
import { Banner } from "../banner/Banner";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Menu } from "../ui/Menu";
import "./agentsignin.css";

const t = messages.agentSignIn;

/** Maximum number of methods with a button; the others are in a menu. */
const maxButtons = 3;

export interface AgentSignInBannerProps {
  profileId: string;
  agent: string;
  onCheck: () => void;
  /** The agent's log, and the button that shows it. */
  log: JSX.Element;
  showLog: JSX.Element;
}

/** MethodList lists sign-in methods with the agent's descriptions. */
export function MethodList(props: { methods: readonly AuthMethod[] }) {
  return (
    <ul class="auth-methods" aria-label={t.methods}>
      <For each={props.methods}>
        {(method) => (
          <li>
            <strong>{method.name}</strong>
            <Show when={method.description && method.description !== method.name}>
              <span class="muted"> {method.description}</span>
            </Show>
            <Show when={method.kind === "unknown"}>
              <span class="muted"> {t.unsupported}</span>
            </Show>
          </li>
        )}
      </For>
    </ul>
  );
}

/** AgentSignInBanner asks the user to sign in to an agent that has its own sign-in. */
export function AgentSignInBanner(props: AgentSignInBannerProps) {
  const state = useStore();
  const [failure, setFailure] = createSignal("");
  const signIn = () => state.agentSignIns[props.profileId];
  const methods = () => signIn()?.methods ?? [];
  const usable = () => usableMethods(signIn());
  const isRunning = () => signIn()?.state === "running";
  const isChecking = () => signIn()?.checking === true;
  const isFailed = () => signIn()?.state === "failed";
  const last = () => usable().find((method) => method.id === signIn()?.methodId);

  const report = (work: Promise<unknown>) => {
    setFailure("");
    work.catch((thrown) => setFailure(thrown.message));
  };
  const start = (method: AuthMethod) => {
    if (needsDialog(method)) openAgentSignIn(props.profileId, method.id);
    else report(actions.signInAgent(props.profileId, method.id, {}));
  };
  const label = (method: AuthMethod) => (needsDialog(method) ? `${method.name}…` : method.name);
  const strong = () => {
    if (isRunning()) return t.running(props.agent);
    if (isChecking()) return t.checking(props.agent);
    return isFailed() ? t.failed(props.agent) : messages.chat.condition.agentSignIn.strong(props.agent);
  };
  const body = () => {
    if (isRunning()) return signIn()?.terminalId ? t.runningTerminal : t.runningBrowser;
    if (isChecking()) return "";
    if (usable().length > 0) return messages.common.sentences(signIn()?.message ?? "", t.saved);
    const without = methods().length > 0 ? t.onlyUnknown : messages.chat.condition.agentSignIn.body;
    return messages.common.sentences(signIn()?.message ?? "", without);
  };

  const Running = () => (
    <>
      <Show when={signIn()?.terminalId}>
        <Button look="primary" onClick={() => openAgentSignIn(props.profileId, signIn()?.methodId ?? "")}>
          {t.showTerminal}
        </Button>
      </Show>
      <Button onClick={() => report(actions.cancelAgentSignIn(props.profileId))}>
        {messages.common.cancel}
      </Button>
    </>
  );
  const Check = () => (
    <Button look={usable().length > 0 ? "ghost" : "primary"} onClick={() => props.onCheck()}>
      {messages.common.checkAgain}
    </Button>
  );
  /** The methods in order; after a failure, the one that failed is first. */
  const ordered = () => {
    const first = isFailed() ? last() : undefined;
    return first ? [first, ...usable().filter((method) => method !== first)] : usable();
  };
  return (
    <Banner
      tone={isRunning() || isChecking() ? "info" : isFailed() ? "bad" : "attn"}
      label={messages.chat.condition.signIn.label}
      icon={isRunning() || isChecking() ? LoaderCircle : KeyRound}
      spins={isRunning() || isChecking()}
      strong={strong()}
      more={
        <>
          <Show when={!isRunning() && !isChecking() && methods().length > 0}>
            <div class="disc">
              <MethodList methods={methods()} />
            </div>
          </Show>
          {props.log}
          <Failure text={failure()} class="banner-failure c-bad" />
        </>
      }
      actions={
        <Show when={!isChecking()}>
          <Show when={!isRunning()} fallback={<Running />}>
            <Index each={ordered().slice(0, maxButtons)}>
              {(method, at) => (
                <Button
                  class="auth-method"
                  look={at === 0 ? "primary" : undefined}
                  title={method().description || undefined}
                  onClick={() => start(method())}
                >
                  <span class="trunc">
                    {isFailed() && method() === last() ? messages.chat.tryAgain : label(method())}
                  </span>
                </Button>
              )}
            </Index>
            <Show when={ordered().length > maxButtons}>
              <Menu
                label={t.more}
                triggerClass="btn"
                placement="top-start"
                trigger={t.more}
                groups={[
                  {
                    entries: ordered()
                      .slice(maxButtons)
                      .map((method) => ({ label: label(method), onSelect: () => start(method) })),
                  },
                ]}
              />
            </Show>
            <Check />
            {props.showLog}
          </Show>
        </Show>
      }
    >
      {body()}
    </Banner>
  );
}
