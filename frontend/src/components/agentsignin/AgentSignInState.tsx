import { createSignal, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { openAgentSignIn, usableMethods } from "../../state/agentSignIn";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import "./agentsignin.css";

const t = messages.agentSignIn;

/** AgentSignInState shows the state of an agent's sign-in in the settings, with buttons to sign in and out. */
export function AgentSignInState(props: { profileId: string; onSignOut: () => void }) {
  const state = useStore();
  const [failure, setFailure] = createSignal("");
  const signIn = () => state.agentSignIns[props.profileId];
  const name = () => state.profiles[props.profileId]?.name ?? "";
  const usable = () => usableMethods(signIn());
  const isRunning = () => signIn()?.state === "running";
  const isChecking = () => signIn()?.checking === true;
  const report = (work: Promise<unknown>) => {
    setFailure("");
    work.catch((thrown) => setFailure(thrown.message));
  };
  const text = () => {
    if (isChecking()) return t.settings.checking;
    switch (signIn()?.state) {
      case "needed":
        return t.settings.needed;
      case "running":
        return t.settings.running;
      case "done":
        return t.settings.done;
      case "failed":
        return t.settings.failed;
    }
    if (!signIn() || usable().length > 0) return "";
    return signIn()?.message ? t.checkFailed(name()) : t.settings.none;
  };
  const isBad = () => signIn()?.state === "failed" || (signIn()?.message ?? "") !== "";
  return (
    <div class="auth-state">
      <span role="status" classList={{ "c-bad": isBad() && !isChecking() && !isRunning() }}>
        {messages.common.noted(text(), isChecking() || isRunning() ? "" : (signIn()?.message ?? ""))}
      </span>
      <Show
        when={!isRunning()}
        fallback={
          <>
            <Show when={signIn()?.terminalId}>
              <Button onClick={() => openAgentSignIn(props.profileId, signIn()?.methodId ?? "")}>
                {t.showTerminal}
              </Button>
            </Show>
            <Button onClick={() => report(actions.cancelAgentSignIn(props.profileId))}>
              {messages.common.cancel}
            </Button>
          </>
        }
      >
        <Show when={usable().length > 0}>
          <Button
            aria-disabled={isChecking()}
            onClick={() => !isChecking() && openAgentSignIn(props.profileId, "")}
          >
            {t.settings.signIn}
          </Button>
        </Show>
        <Show when={signIn()?.canSignOut}>
          <Button look="ghost" onClick={() => !isChecking() && props.onSignOut()}>
            {t.settings.signOut}
          </Button>
        </Show>
        <Show when={signIn()?.state !== "done"}>
          <Button
            aria-disabled={isChecking()}
            onClick={() => !isChecking() && report(actions.checkAgentSignIn(props.profileId))}
          >
            {t.settings.check}
          </Button>
        </Show>
      </Show>
      <Failure text={failure()} />
    </div>
  );
}
