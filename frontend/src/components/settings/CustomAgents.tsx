import { createMemo, createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { CustomAgent } from "../../state/types";
import { AgentSignInState } from "../agentsignin/AgentSignInState";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Failure } from "../ui/Failure";
import { CustomAgentForm } from "./CustomAgentForm";
import { FormDialog } from "./FormDialog";
import { createFocusReturn, Row } from "./parts";

const t = messages.settings.customAgents;

/** startText returns the command or address of an agent. */
function startText(profile: CustomAgent): string {
  return profile.address || [profile.command, ...(profile.args ?? [])].join(" ");
}

/** CustomAgents lists the custom agents, which can be added, edited and removed. */
export function CustomAgents() {
  const state = useStore();
  const list = createMemo(() => Object.values(state.profiles).sort((a, b) => a.createdAt - b.createdAt));
  const [editing, setEditing] = createSignal<string>();
  const [removing, setRemoving] = createSignal<CustomAgent>();
  const [failure, setFailure] = createSignal("");
  const remove = () => {
    setFailure("");
    actions.deleteProfile(removing()?.id ?? "").then(
      () => {
        setRemoving(undefined);
        back.closed("new");
      },
      (thrown) => setFailure(thrown.message),
    );
  };
  const [signingOut, setSigningOut] = createSignal<CustomAgent>();
  const signOut = () => {
    setFailure("");
    const id = signingOut()?.id ?? "";
    actions.signOutAgent(id).then(
      () => {
        setSigningOut(undefined);
        back.closed(id);
      },
      (thrown) => setFailure(thrown.message),
    );
  };
  const back = createFocusReturn();
  let closing = "";
  const done = () => {
    closing = editing() ?? "";
    setEditing(undefined);
  };
  return (
    <>
      <h2>{t.title}</h2>
      <p class="subtle">{t.lead}</p>
      <For each={list().map((profile) => profile.id)}>
        {(id) => (
          <Show when={state.profiles[id]}>
            {(profile) => (
              <Row
                label={<span class="strong">{profile().name}</span>}
                fact={
                  <>
                    <span class="mono wrap-any">{startText(profile())}</span>
                    <Show when={profile().key === "missing"}>
                      <br />
                      <span class="c-bad">{t.envMissing}</span>
                    </Show>
                    <Show when={!profile().github}>
                      <AgentSignInState profileId={id} onSignOut={() => setSigningOut(profile())} />
                    </Show>
                  </>
                }
              >
                <div class="row">
                  <Button ref={back.opener(id)} large onClick={() => setEditing(id)}>
                    {t.edit}
                  </Button>
                  <Button large look="ghost" onClick={() => setRemoving(profile())}>
                    {t.remove}
                  </Button>
                </div>
              </Row>
            )}
          </Show>
        )}
      </For>
      <div class="row set-after">
        <Button ref={back.opener("new")} large onClick={() => setEditing("new")}>
          {t.add}
        </Button>
      </div>
      <FormDialog
        open={editing() !== undefined}
        title={editing() === "new" ? t.add : t.editTitle(state.profiles[editing() ?? ""]?.name ?? "")}
        onClose={done}
        onClosed={() => back.closed(closing)}
      >
        <CustomAgentForm profile={state.profiles[editing() ?? ""]} onDone={done} />
      </FormDialog>
      <ConfirmDialog
        open={removing() !== undefined}
        title={t.removeTitle(removing()?.name ?? "")}
        body={t.removeBody}
        confirm={t.removeConfirm}
        onConfirm={remove}
        onClose={() => setRemoving(undefined)}
      >
        <Failure text={failure()} />
      </ConfirmDialog>
      <ConfirmDialog
        open={signingOut() !== undefined}
        title={messages.agentSignIn.settings.signOutTitle(signingOut()?.name ?? "")}
        body={messages.agentSignIn.settings.signOutBody}
        confirm={messages.agentSignIn.settings.signOutConfirm}
        onConfirm={signOut}
        onClose={() => {
          setFailure("");
          setSigningOut(undefined);
        }}
      >
        <Failure text={failure()} />
      </ConfirmDialog>
    </>
  );
}
