import ChevronDown from "lucide-solid/icons/chevron-down";
import { createMemo, createSignal, createUniqueId, type JSX, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import type { Provider, ProviderKind } from "../../state/types";
import { trackForm } from "../../state/unsavedChanges";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Select } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";
import { headersToText, textToHeaders } from "./headers";
import { focusForm } from "./parts";
import { isUntouched, presetOf, presets } from "./presets";

const t = messages.settings.model;
const tOrchestrator = messages.orchestrator;

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
  /** Label of the save button. */
  save: string;
  onSaved: (provider: Provider) => void;
  onCancel?: () => void;
  cancel?: string;
  /** Whether the user opened the form, which then takes the focus. */
  autofocus?: boolean;
}

/** ProviderForm edits a provider: its service, address, model, key, context size, headers and name. */
export function ProviderForm(props: ProviderFormProps) {
  const id = createUniqueId();
  const keep = trackForm(props.onCancel && (() => props.onCancel?.()));
  // The fields are initialized only once: a check that finishes while the user is typing must not overwrite the typed
  // text.
  const initial = structuredClone(unwrap(props.provider));
  const [kind, setKind] = createSignal<ProviderKind>(initial.kind ?? "");
  const preset = () => presetOf(kind());
  const [name, setName] = createSignal(initial.name);
  const [baseUrl, setBaseUrl] = createSignal(initial.baseUrl);
  const [model, setModel] = createSignal(initial.model);
  const [key, setKey] = createSignal("");
  const [context, setContext] = createSignal(initial.context ? String(initial.context) : "");
  const [headers, setHeaders] = createSignal(headersToText(initial.headers));
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  const models = createMemo(() => props.provider.models ?? []);
  const keyFact = () => {
    switch (props.provider.key) {
      case "keychain":
        return t.keyStored;
      case "memory":
        return t.keyMemory;
      case "missing":
        return t.keyMissing;
    }
    if (kind() === "") return t.keyFact;
    return preset().needsKey ? tOrchestrator.keyFrom(preset().name) : tOrchestrator.keyNone(preset().name);
  };
  const addressFact = () =>
    kind() === "azure" && isUntouched(baseUrl()) ? tOrchestrator.azureAddress : t.addressFact;
  /** Selecting another service fills in that service's address unless the user has typed an address. */
  const choose = (next: ProviderKind) => {
    if (isUntouched(baseUrl())) setBaseUrl(presetOf(next).baseUrl);
    setKind(next);
  };
  /** problem returns a message about the first missing or invalid input, or "" if the form can be saved. */
  const problem = (hasHeaders: boolean) => {
    if (baseUrl().trim() === "") return t.needAddress;
    if (kind() === "azure" && isUntouched(baseUrl())) return tOrchestrator.azureResource;
    if (model().trim() === "") return t.needModel;
    if (!/^\d*$/.test(context().trim())) return tOrchestrator.contextBad;
    const hasKey = key() !== "" || !!props.provider.key || hasHeaders;
    return preset().needsKey && !hasKey ? tOrchestrator.needKey(preset().name) : "";
  };

  const save = async () => {
    const parsed = textToHeaders(headers());
    const missing = problem("headers" in parsed && Object.keys(parsed.headers).length > 0);
    setFailure("bad" in parsed ? t.headersBad(parsed.bad) : missing);
    if ("bad" in parsed || missing !== "") return;
    setBusy(true);
    try {
      const saved = await actions.saveProvider(
        {
          ...initial,
          kind: kind() === "" ? undefined : kind(),
          context: Number(context().trim()) || undefined,
          name: name().trim() || (kind() === "" ? model().trim() : preset().name),
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
      ref={(form) => {
        if (props.autofocus) focusForm(form);
        keep(form);
      }}
      class="provider-form"
      aria-label={initial.id === "" ? t.add : initial.name}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Row label={tOrchestrator.service} fact={tOrchestrator.serviceFact} for={`${id}-service`}>
        <Select<ProviderKind>
          id={`${id}-service`}
          label={tOrchestrator.service}
          value={kind()}
          choices={presets.map((each) => ({ value: each.kind, label: each.name }))}
          onChange={choose}
        />
      </Row>
      <Row label={t.address} fact={addressFact()} for={`${id}-url`}>
        <input
          id={`${id}-url`}
          class="input mono sel"
          type="url"
          spellcheck={false}
          autocomplete="off"
          placeholder={t.addressPlaceholder}
          aria-describedby={`${id}-url-fact`}
          value={baseUrl()}
          onInput={(event) => setBaseUrl(event.currentTarget.value)}
        />
      </Row>
      <Row
        label={t.model}
        fact={models().length > 0 ? t.modelListed(models().length) : t.modelFact}
        for={`${id}-model`}
      >
        <div class="input-with">
          <input
            id={`${id}-model`}
            class="input mono sel"
            spellcheck={false}
            autocomplete="off"
            placeholder={preset().model && messages.common.example(preset().model)}
            aria-describedby={`${id}-model-fact`}
            value={model()}
            onInput={(event) => setModel(event.currentTarget.value)}
          />
          <Show when={models().length > 0}>
            <Menu
              label={t.modelPick}
              triggerClass="ib"
              placement="bottom-end"
              trigger={<Icon of={ChevronDown} size="sm" />}
              groups={[
                {
                  entries: models().map((each) => ({
                    label: each,
                    checked: each === model(),
                    onSelect: () => {
                      if (each === model()) return;
                      setModel(each);
                      keep.touch();
                    },
                  })),
                },
              ]}
            />
          </Show>
        </div>
      </Row>
      <Row label={t.key} fact={keyFact()} for={`${id}-key`}>
        <input
          id={`${id}-key`}
          class="input mono sel"
          type="password"
          autocomplete="off"
          placeholder={props.provider.key === "keychain" ? t.keyPlaceholder : ""}
          aria-describedby={`${id}-key-fact`}
          value={key()}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </Row>
      <Row label={tOrchestrator.context} fact={tOrchestrator.contextFact} for={`${id}-context`}>
        <input
          id={`${id}-context`}
          class="input mono sel"
          inputmode="numeric"
          autocomplete="off"
          placeholder={messages.common.byDefault(String(preset().context))}
          aria-describedby={`${id}-context-fact`}
          value={context()}
          onInput={(event) => setContext(event.currentTarget.value)}
        />
      </Row>
      <Row label={t.headers} fact={t.headersFact} for={`${id}-headers`}>
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
      <Row label={t.name} fact={t.nameFact} for={`${id}-name`}>
        <input
          id={`${id}-name`}
          class="input sel"
          autocomplete="off"
          placeholder={kind() === "" ? t.namePlaceholder : messages.common.byDefault(preset().name)}
          aria-describedby={`${id}-name-fact`}
          value={name()}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Row>
      <Failure text={failure()} />
      <div class="row form-acts">
        <Button large look="primary" type="submit" disabled={busy()}>
          {props.save}
        </Button>
        <Show when={props.onCancel}>
          {(cancel) => (
            <Button large look="ghost" onClick={() => cancel()()}>
              {props.cancel ?? messages.common.cancel}
            </Button>
          )}
        </Show>
      </div>
    </form>
  );
}
