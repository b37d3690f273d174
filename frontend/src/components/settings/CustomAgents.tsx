import { createMemo, createSignal, For, Show } from "solid-js";
import { words } from "../../i18n";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { CustomAgent } from "../../state/types";
import { Button } from "../ui/Button";
import { Ask } from "../ui/Dialog";
import { Failure } from "../ui/Failure";
import { ProfileForm } from "./CustomAgentForm";
import { FormDialog } from "./FormDialog";
import { createReturn, Row } from "./parts";

const w = words.settings.agents;

/** how returns the command or address of an agent. */
function how(profile: CustomAgent): string {
  return profile.address || [profile.command, ...(profile.args ?? [])].join(" ");
}

/** Agents lists the custom agents: add, edit, remove. */
export function Agents() {
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
  const back = createReturn();
  let closing = "";
  const done = () => {
    closing = editing() ?? "";
    setEditing(undefined);
  };
  return (
    <>
      <h2>{w.title}</h2>
      <p class="subtle">{w.lead}</p>
      <For each={list().map((profile) => profile.id)}>
        {(id) => (
          <Show when={state.profiles[id]}>
            {(profile) => (
              <Row
                label={<span class="strong">{profile().name}</span>}
                fact={
                  <>
                    <span class="mono wrap-any">{how(profile())}</span>
                    <Show when={profile().key === "missing"}>
                      <br />
                      <span class="c-bad">{w.envMissing}</span>
                    </Show>
                  </>
                }
              >
                <div class="row">
                  <Button ref={back.opener(id)} large onClick={() => setEditing(id)}>
                    {w.edit}
                  </Button>
                  <Button large look="ghost" onClick={() => setRemoving(profile())}>
                    {w.remove}
                  </Button>
                </div>
              </Row>
            )}
          </Show>
        )}
      </For>
      <div class="row set-after">
        <Button ref={back.opener("new")} large onClick={() => setEditing("new")}>
          {w.add}
        </Button>
      </div>
      <FormDialog
        open={editing() !== undefined}
        title={editing() === "new" ? w.add : w.editTitle(state.profiles[editing() ?? ""]?.name ?? "")}
        onClose={done}
        onClosed={() => back.closed(closing)}
      >
        <ProfileForm profile={state.profiles[editing() ?? ""]} onDone={done} />
      </FormDialog>
      <Ask
        open={removing() !== undefined}
        title={w.removeTitle(removing()?.name ?? "")}
        body={w.removeBody}
        confirm={w.removeConfirm}
        onConfirm={remove}
        onClose={() => setRemoving(undefined)}
      >
        <Failure text={failure()} />
      </Ask>
    </>
  );
}
