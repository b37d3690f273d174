import CircleCheck from "lucide-solid/icons/circle-check";
import CircleX from "lucide-solid/icons/circle-x";
import { createEffect, createMemo, createSignal, For, Show } from "solid-js";
import { words } from "../../i18n";
import { nowFor } from "../../lib/coarseClock";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Provider } from "../../state/types";
import { Button } from "../ui/Button";
import { Ask } from "../ui/Dialog";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { moment } from "../ui/when";
import { FormDialog } from "./FormDialog";
import { ProviderForm } from "./ProviderForm";
import { createReturn, Row } from "./parts";
import { newProvider } from "./presets";

const w = words.settings.model;

function Checked(props: { provider: Provider }) {
  return (
    <Show when={props.provider.checkedAt}>
      {(at) => (
        <span class={`row said ${props.provider.check ? "c-bad" : "c-ok"}`}>
          <Icon of={props.provider.check ? CircleX : CircleCheck} size="sm" />
          <span>{props.provider.check || w.ok(moment(at(), Math.max(nowFor(at()), at())))}</span>
        </span>
      )}
    </Show>
  );
}

/** Model lists the user's providers: add, check, edit, remove. */
export function Model() {
  const state = useStore();
  const list = createMemo(() => Object.values(state.providers).sort((a, b) => a.createdAt - b.createdAt));
  const [editing, setEditing] = createSignal<string>();
  const [removing, setRemoving] = createSignal<Provider>();
  const [failure, setFailure] = createSignal("");
  const edited = () => state.providers[editing() ?? ""];
  const back = createReturn();
  let closing = "";
  const done = (id: string) => {
    closing = id;
    setEditing(undefined);
  };
  // The form that replaces the last removed provider gets the focus once the question is closed.
  const isReplaced = createMemo(
    (was: { had: boolean; now: boolean }) => {
      const none = list().length === 0;
      return { had: was.had || !none, now: was.had && none && removing() === undefined };
    },
    { had: false, now: false },
  );
  createEffect(() => {
    if (!isReplaced().now) return;
    queueMicrotask(() => document.querySelector<HTMLElement>(".provider-form select")?.focus());
  });
  const attempt = (work: Promise<unknown>, then?: () => void) => {
    setFailure("");
    work.then(then, (thrown) => setFailure(thrown.message));
  };
  return (
    <>
      <p class="muted set-lead">{w.lead}</p>
      <For each={list().map((provider) => provider.id)}>
        {(id, index) => (
          <Show when={state.providers[id]}>
            {(provider) => (
              <section aria-label={provider().name}>
                <Row
                  first={index() === 0}
                  label={<span class="strong">{provider().name}</span>}
                  fact={
                    <>
                      <span class="mono wrap-any">{provider().baseUrl}</span>
                      <br />
                      {w.used(provider().model)}
                      <Show when={provider().key === "memory"}>
                        <br />
                        {w.keyMemory}
                      </Show>
                      <Show when={provider().key === "missing"}>
                        <br />
                        <span class="c-bad">{w.keyMissing}</span>
                      </Show>
                      <Checked provider={provider()} />
                    </>
                  }
                >
                  <div class="row">
                    <Button large onClick={() => attempt(actions.checkProvider(id))}>
                      {w.check}
                    </Button>
                    <Button ref={back.opener(id)} large onClick={() => setEditing(id)}>
                      {w.edit}
                    </Button>
                    <Button large look="ghost" onClick={() => setRemoving(provider())}>
                      {w.remove}
                    </Button>
                  </div>
                </Row>
              </section>
            )}
          </Show>
        )}
      </For>
      <Show
        when={list().length > 0}
        fallback={
          <ProviderForm
            provider={newProvider()}
            save={w.saveAndCheck}
            onSaved={(provider) => done(provider.id)}
          />
        }
      >
        <div class="row set-after">
          <Button ref={back.opener("new")} large onClick={() => setEditing("new")}>
            {w.add}
          </Button>
        </div>
      </Show>
      <FormDialog
        open={editing() !== undefined}
        title={editing() === "new" ? w.add : w.editTitle(edited()?.name ?? "")}
        onClose={() => done(editing() ?? "")}
        onClosed={() => back.closed(closing)}
      >
        <ProviderForm
          provider={edited() ?? newProvider()}
          save={w.saveAndCheck}
          onSaved={(provider) => done(provider.id)}
          onCancel={() => done(editing() ?? "")}
        />
      </FormDialog>
      <Failure text={failure()} />
      <Ask
        open={removing() !== undefined}
        title={w.removeTitle(removing()?.name ?? "")}
        body={w.removeBody}
        confirm={w.removeConfirm}
        onConfirm={() =>
          attempt(actions.deleteProvider(removing()?.id ?? ""), () => {
            setRemoving(undefined);
            back.closed("new");
          })
        }
        onClose={() => setRemoving(undefined)}
      >
        <Failure text={failure()} />
      </Ask>
    </>
  );
}
