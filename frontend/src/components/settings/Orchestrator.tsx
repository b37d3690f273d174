// The orchestrator: the model that answers new chats and delegates to Copilot.

import { createSignal, createUniqueId, For, Match, Show, Switch } from "solid-js";
import { unwrap } from "solid-js/store";
import { words } from "../../i18n";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Provider, ProviderKind } from "../../state/types";
import { trackForm } from "../../state/unsavedChanges";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Select } from "../ui/fields";
import { ProviderForm } from "./ProviderForm";
import { createReturn, createSave, Row } from "./parts";
import { newProvider, presetOf, presets } from "./presets";

const w = words.mainAI;
/** Prefix of a list value for a provider that isn't set up. */
const add = "add:";

/** MainAI selects and sets up the orchestrator of new chats. */
export function MainAI() {
  const state = useStore();
  const { save, failure, setFailure } = createSave();
  const title = createUniqueId();
  const picker = createUniqueId();
  const [adding, setAdding] = createSignal<ProviderKind>();
  const providers = () => Object.values(state.providers).sort((a, b) => a.createdAt - b.createdAt);
  const chosen = () => state.providers[state.settings.mainId ?? ""];
  const value = () => {
    const kind = adding();
    return kind === undefined ? (chosen()?.id ?? "") : `${add}${kind}`;
  };
  const choose = (picked: string) => {
    setFailure("");
    if (picked.startsWith(add)) {
      setAdding(picked.slice(add.length) as ProviderKind);
      return;
    }
    setAdding(undefined);
    void save({ mainId: picked === "" ? undefined : picked });
  };
  /** Closing the form removes the focused element. */
  const close = () => {
    setAdding(undefined);
    document.getElementById(picker)?.focus();
  };
  return (
    <section class="main-ai" aria-labelledby={title}>
      <h2 id={title}>{w.title}</h2>
      <Row label={w.provider} fact={w.providerFact}>
        <Select
          id={picker}
          label={w.provider}
          value={value()}
          choices={[
            { value: "", label: w.none },
            ...providers().map((provider) => ({ value: provider.id, label: provider.name })),
            ...presets.map((preset) => ({ value: `${add}${preset.kind}`, label: w.setUp(preset.name) })),
          ]}
          onChange={choose}
        />
      </Row>
      <Switch>
        <Match when={adding() !== undefined}>
          <For each={[adding() ?? ""]}>
            {(kind) => (
              <ProviderForm
                provider={newProvider(kind)}
                save={w.saveAndUse}
                onSaved={(provider) => {
                  close();
                  void save({ mainId: provider.id });
                }}
                onCancel={close}
              />
            )}
          </For>
        </Match>
        <Match when={chosen()}>{(provider) => <Facts provider={provider()} onFailure={setFailure} />}</Match>
      </Switch>
      <Failure text={failure()} />
    </section>
  );
}

/** Facts are the directly editable settings of the selected provider. */
function Facts(props: { provider: Provider; onFailure(message: string): void }) {
  const id = createUniqueId();
  const [keying, setKeying] = createSignal(false);
  const [key, setKey] = createSignal("");
  /** Saves a change and checks it with the server. */
  const change = async (more: Partial<Provider>, newKey = "") => {
    props.onFailure("");
    try {
      const saved = await actions.saveProvider({ ...unwrap(props.provider), ...more }, newKey);
      await actions.checkProvider(saved.id);
      return true;
    } catch (thrown) {
      props.onFailure(thrown instanceof Error ? thrown.message : words.settings.saveFailed);
      return false;
    }
  };
  const models = () => {
    const listed = props.provider.models ?? [];
    return listed.includes(props.provider.model) ? listed : [props.provider.model, ...listed];
  };
  const takesKey = () => presetOf(props.provider.kind).needsKey || !!props.provider.key;
  const keyState = () => {
    switch (props.provider.key) {
      case "missing":
        return w.keyMissing;
      case "keychain":
      case "memory":
        return w.keyKept;
      default:
        return takesKey() ? w.keyMissing : w.keyNotNeeded;
    }
  };
  const back = createReturn();
  const closeKey = () => {
    setKey("");
    back.closed("key");
    setKeying(false);
  };
  const saveKey = async () => {
    if (key() === "" || !(await change({}, key()))) return;
    closeKey();
  };
  return (
    <>
      <Row label={<label for={`${id}-model`}>{w.model}</label>}>
        <Show
          when={(props.provider.models?.length ?? 0) > 0}
          fallback={
            <input
              id={`${id}-model`}
              class="input mono sel"
              spellcheck={false}
              autocomplete="off"
              placeholder={w.modelNone}
              value={props.provider.model}
              onChange={(event) => void change({ model: event.currentTarget.value.trim() })}
            />
          }
        >
          <Select
            id={`${id}-model`}
            label={w.model}
            value={props.provider.model}
            choices={models().map((model) => ({ value: model, label: model }))}
            onChange={(model) => void change({ model })}
          />
        </Show>
      </Row>
      <Row
        label={<label for={`${id}-address`}>{w.address}</label>}
        fact={
          <>
            {w.addressFact}
            <Show when={props.provider.check}>
              {(check) => <span class="row said c-bad">{w.failed(check())}</span>}
            </Show>
          </>
        }
      >
        <input
          id={`${id}-address`}
          class="input mono sel"
          type="text"
          spellcheck={false}
          autocomplete="off"
          value={props.provider.baseUrl}
          onChange={(event) => void change({ baseUrl: event.currentTarget.value.trim() })}
        />
      </Row>
      <Row
        label={
          <Show when={keying()} fallback={w.key}>
            <label for={`${id}-key`}>{w.key}</label>
          </Show>
        }
        fact={props.provider.key === "memory" ? w.keyMemory : w.keyFact}
      >
        <Show
          when={keying()}
          fallback={
            <div class="row">
              <span class={props.provider.key === "missing" ? "c-bad" : "subtle"}>{keyState()}</span>
              <Show when={takesKey()}>
                <Button ref={back.opener("key")} large onClick={() => setKeying(true)}>
                  {w.change}
                </Button>
              </Show>
            </div>
          }
        >
          <form
            ref={trackForm(closeKey)}
            class="row"
            onSubmit={(event) => {
              event.preventDefault();
              void saveKey();
            }}
          >
            <input
              ref={(input) => queueMicrotask(() => input.focus())}
              id={`${id}-key`}
              class="input mono sel"
              type="password"
              autocomplete="off"
              value={key()}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
            <Button large type="submit" disabled={key() === ""}>
              {words.common.save}
            </Button>
          </form>
        </Show>
      </Row>
    </>
  );
}
