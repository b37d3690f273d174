// The orchestrator: the model that answers new chats and delegates to Copilot.

import { createSignal, createUniqueId, For, Match, Show, Switch } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Provider, ProviderKind } from "../../state/types";
import { trackForm } from "../../state/unsavedChanges";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Select } from "../ui/fields";
import { ProviderForm } from "./ProviderForm";
import { createFocusReturn, createSave, Row } from "./parts";
import { newProvider, presetOf, presets } from "./presets";

const t = messages.orchestrator;
/** Prefix of the list values for providers that aren't set up yet. */
const add = "add:";

/** Orchestrator selects the orchestrator of new chats and sets it up. */
export function Orchestrator() {
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
  /** Closing the form removes the focused element, so the focus must be moved. */
  const close = () => {
    setAdding(undefined);
    document.getElementById(picker)?.focus();
  };
  return (
    <section class="main-ai" aria-labelledby={title}>
      <h2 id={title}>{t.title}</h2>
      <Row label={t.provider} fact={t.providerFact}>
        <Select
          id={picker}
          label={t.provider}
          value={value()}
          choices={[
            { value: "", label: t.none },
            ...providers().map((provider) => ({ value: provider.id, label: provider.name })),
            ...presets.map((preset) => ({ value: `${add}${preset.kind}`, label: t.setUp(preset.name) })),
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
                save={t.saveAndUse}
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

/** Facts shows the settings of the selected provider that can be edited without opening its form. */
function Facts(props: { provider: Provider; onFailure(message: string): void }) {
  const id = createUniqueId();
  const [keying, setKeying] = createSignal(false);
  const [key, setKey] = createSignal("");
  /** Saves a change to the provider and then checks the provider by contacting its server. */
  const change = async (more: Partial<Provider>, newKey = "") => {
    props.onFailure("");
    try {
      const saved = await actions.saveProvider({ ...unwrap(props.provider), ...more }, newKey);
      await actions.checkProvider(saved.id);
      return true;
    } catch (thrown) {
      props.onFailure(thrown instanceof Error ? thrown.message : messages.settings.saveFailed);
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
        return t.keyMissing;
      case "keychain":
      case "memory":
        return t.keySaved;
      default:
        return takesKey() ? t.keyMissing : t.keyNotNeeded;
    }
  };
  const back = createFocusReturn();
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
      <Row label={<label for={`${id}-model`}>{t.model}</label>}>
        <Show
          when={(props.provider.models?.length ?? 0) > 0}
          fallback={
            <input
              id={`${id}-model`}
              class="input mono sel"
              spellcheck={false}
              autocomplete="off"
              placeholder={t.modelNone}
              value={props.provider.model}
              onChange={(event) => void change({ model: event.currentTarget.value.trim() })}
            />
          }
        >
          <Select
            id={`${id}-model`}
            label={t.model}
            value={props.provider.model}
            choices={models().map((model) => ({ value: model, label: model }))}
            onChange={(model) => void change({ model })}
          />
        </Show>
      </Row>
      <Row
        label={<label for={`${id}-address`}>{t.address}</label>}
        fact={
          <>
            {t.addressFact}
            <Show when={props.provider.check}>
              {(check) => <span class="row status c-bad">{t.failed(check())}</span>}
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
          <Show when={keying()} fallback={t.key}>
            <label for={`${id}-key`}>{t.key}</label>
          </Show>
        }
        fact={props.provider.key === "memory" ? t.keyMemory : t.keyFact}
      >
        <Show
          when={keying()}
          fallback={
            <div class="row">
              <span class={props.provider.key === "missing" ? "c-bad" : "subtle"}>{keyState()}</span>
              <Show when={takesKey()}>
                <Button ref={back.opener("key")} large onClick={() => setKeying(true)}>
                  {t.change}
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
              {messages.common.save}
            </Button>
          </form>
        </Show>
      </Row>
    </>
  );
}
