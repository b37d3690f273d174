import CircleCheck from "lucide-solid/icons/circle-check";
import CircleX from "lucide-solid/icons/circle-x";
import { createEffect, createMemo, createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Provider } from "../../state/types";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { moment } from "../ui/time";
import { FormDialog } from "./FormDialog";
import { ProviderForm } from "./ProviderForm";
import { createFocusReturn, Row } from "./parts";
import { newProvider } from "./presets";

const t = messages.settings.model;

function Checked(props: { provider: Provider }) {
  return (
    <Show when={props.provider.checkedAt}>
      {(at) => (
        <span class={`row status ${props.provider.check ? "c-bad" : "c-ok"}`}>
          <Icon of={props.provider.check ? CircleX : CircleCheck} size="sm" />
          <span>{props.provider.check || t.ok(moment(at(), Math.max(coarseNow(at()), at())))}</span>
        </span>
      )}
    </Show>
  );
}

/** Model lists the user's model providers, which can be added, checked, edited and removed. */
export function Model() {
  const state = useStore();
  const list = createMemo(() => Object.values(state.providers).sort((a, b) => a.createdAt - b.createdAt));
  const [editing, setEditing] = createSignal<string>();
  const [removing, setRemoving] = createSignal<Provider>();
  const [failure, setFailure] = createSignal("");
  const edited = () => state.providers[editing() ?? ""];
  const back = createFocusReturn();
  let closing = "";
  const done = (id: string) => {
    closing = id;
    setEditing(undefined);
  };
  // If the user removes the last provider, a form replaces the list. The form gets the focus once the confirmation is
  // closed.
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
      <p class="muted set-lead">{t.lead}</p>
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
                      {t.used(provider().model)}
                      <Show when={provider().key === "memory"}>
                        <br />
                        {t.keyMemory}
                      </Show>
                      <Show when={provider().key === "missing"}>
                        <br />
                        <span class="c-bad">{t.keyMissing}</span>
                      </Show>
                      <Checked provider={provider()} />
                    </>
                  }
                >
                  <div class="row">
                    <Button large onClick={() => attempt(actions.checkProvider(id))}>
                      {t.check}
                    </Button>
                    <Button ref={back.opener(id)} large onClick={() => setEditing(id)}>
                      {t.edit}
                    </Button>
                    <Button large look="ghost" onClick={() => setRemoving(provider())}>
                      {t.remove}
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
            save={t.saveAndCheck}
            onSaved={(provider) => done(provider.id)}
          />
        }
      >
        <div class="row set-after">
          <Button ref={back.opener("new")} large onClick={() => setEditing("new")}>
            {t.add}
          </Button>
        </div>
      </Show>
      <FormDialog
        open={editing() !== undefined}
        title={editing() === "new" ? t.add : t.editTitle(edited()?.name ?? "")}
        onClose={() => done(editing() ?? "")}
        onClosed={() => back.closed(closing)}
      >
        <ProviderForm
          provider={edited() ?? newProvider()}
          save={t.saveAndCheck}
          onSaved={(provider) => done(provider.id)}
          onCancel={() => done(editing() ?? "")}
        />
      </FormDialog>
      <Failure text={failure()} />
      <ConfirmDialog
        open={removing() !== undefined}
        title={t.removeTitle(removing()?.name ?? "")}
        body={t.removeBody}
        confirm={t.removeConfirm}
        onConfirm={() =>
          attempt(actions.deleteProvider(removing()?.id ?? ""), () => {
            setRemoving(undefined);
            back.closed("new");
          })
        }
        onClose={() => setRemoving(undefined)}
      >
        <Failure text={failure()} />
      </ConfirmDialog>
    </>
  );
}
