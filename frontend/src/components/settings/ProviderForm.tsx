import ChevronDown from "lucide-solid/icons/chevron-down";
import { createMemo, createSignal, createUniqueId, type JSX, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { actions } from "../../state/actions";
import type { Provider } from "../../state/words";
import { words } from "../../words";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";
import { headersToText, textToHeaders } from "./headers";

const w = words.settings.model;

/** newProvider is a provider that nobody has saved yet: the app gives it its id. */
export function newProvider(): Provider {
  return { id: "", name: "", baseUrl: "", model: "", createdAt: 0 };
}

function Row(props: { label: string; fact?: string; for: string; children: JSX.Element }) {
  return (
    <div class="sr-row">
      <div class="lb">
        <label for={props.for}>{props.label}</label>
        <Show when={props.fact}>
          <div class="ds" id={`${props.for}-fact`}>
            {props.fact}
          </div>
        </Show>
      </div>
      {props.children}
    </div>
  );
}

export interface ProviderFormProps {
  provider: Provider;
  /** What the button that saves says. */
  save: string;
  onSaved: (provider: Provider) => void;
  onCancel?: () => void;
  cancel?: string;
}

/** ProviderForm is a model endpoint of the user's own: address, key, headers, model. */
export function ProviderForm(props: ProviderFormProps) {
  const id = createUniqueId();
  // The fields begin with what was saved and then belong to the user: a check
  // that comes back meanwhile must not take what was typed.
  const initial = structuredClone(unwrap(props.provider));
  const [name, setName] = createSignal(initial.name);
  const [baseUrl, setBaseUrl] = createSignal(initial.baseUrl);
  const [model, setModel] = createSignal(initial.model);
  const [key, setKey] = createSignal("");
  const [headers, setHeaders] = createSignal(headersToText(initial.headers));
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  const models = createMemo(() => props.provider.models ?? []);
  const keyFact = () => {
    switch (props.provider.key) {
      case "keychain":
        return w.keyKept;
      case "memory":
        return w.keyMemory;
      case "missing":
        return w.keyMissing;
      default:
        return w.keyFact;
    }
  };

  const save = async () => {
    const parsed = textToHeaders(headers());
    const missing = baseUrl().trim() === "" ? w.needAddress : model().trim() === "" ? w.needModel : "";
    setFailure("bad" in parsed ? w.headersBad(parsed.bad) : missing);
    if ("bad" in parsed || missing !== "") return;
    setBusy(true);
    try {
      const saved = await actions.saveProvider(
        {
          ...initial,
          name: name().trim() || model().trim(),
          baseUrl: baseUrl().trim(),
          model: model().trim(),
          headers: parsed.headers,
        },
        key(),
      );
      setKey("");
      props.onSaved(saved);
      await actions.checkProvider(saved.id);
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      class="provider-form"
      aria-label={initial.id === "" ? w.add : initial.name}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Row label={w.address} fact={w.addressFact} for={`${id}-url`}>
        <input
          id={`${id}-url`}
          class="input mono sel"
          type="url"
          spellcheck={false}
          autocomplete="off"
          placeholder={w.addressPlaceholder}
          aria-describedby={`${id}-url-fact`}
          value={baseUrl()}
          onInput={(event) => setBaseUrl(event.currentTarget.value)}
        />
      </Row>
      <Row
        label={w.model}
        fact={models().length > 0 ? w.modelListed(models().length) : w.modelFact}
        for={`${id}-model`}
      >
        <div class="input-with">
          <input
            id={`${id}-model`}
            class="input mono sel"
            spellcheck={false}
            autocomplete="off"
            placeholder={w.modelPlaceholder}
            aria-describedby={`${id}-model-fact`}
            value={model()}
            onInput={(event) => setModel(event.currentTarget.value)}
          />
          <Show when={models().length > 0}>
            <Menu
              label={w.modelPick}
              triggerClass="ib"
              placement="bottom-end"
              trigger={<Icon of={ChevronDown} size="sm" />}
              groups={[
                {
                  entries: models().map((each) => ({
                    label: each,
                    checked: each === model(),
                    onSelect: () => setModel(each),
                  })),
                },
              ]}
            />
          </Show>
        </div>
      </Row>
      <Row label={w.key} fact={keyFact()} for={`${id}-key`}>
        <input
          id={`${id}-key`}
          class="input mono sel"
          type="password"
          autocomplete="off"
          placeholder={props.provider.key === "keychain" ? w.keyPlaceholder : ""}
          aria-describedby={`${id}-key-fact`}
          value={key()}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </Row>
      <Row label={w.headers} fact={w.headersFact} for={`${id}-headers`}>
        <textarea
          id={`${id}-headers`}
          class="input mono sel"
          rows={2}
          spellcheck={false}
          aria-describedby={`${id}-headers-fact`}
          value={headers()}
          onInput={(event) => setHeaders(event.currentTarget.value)}
        />
      </Row>
      <Row label={w.name} fact={w.nameFact} for={`${id}-name`}>
        <input
          id={`${id}-name`}
          class="input sel"
          autocomplete="off"
          placeholder={w.namePlaceholder}
          aria-describedby={`${id}-name-fact`}
          value={name()}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Row>
      <Show when={failure()}>
        <p class="form-failure" role="alert">
          {failure()}
        </p>
      </Show>
      <div class="row form-acts">
        <Button large look="primary" type="submit" disabled={busy()}>
          {props.save}
        </Button>
        <Show when={props.onCancel}>
          {(cancel) => (
            <Button large look="ghost" onClick={() => cancel()()}>
              {props.cancel ?? words.common.cancel}
            </Button>
          )}
        </Show>
      </div>
    </form>
  );
}
