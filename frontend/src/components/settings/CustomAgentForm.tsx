import { createSignal, createUniqueId, type JSX, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import type { CustomAgent } from "../../state/types";
import { trackForm } from "../../state/unsavedChanges";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Switch } from "../ui/fields";
import { Row } from "./parts";
import { splitWords } from "./splitWords";

const t = messages.settings.customAgents;

/** Matches the address (host:port) of a running agent. */
const address = /^[^\s/]+:\d{1,5}$/;

/**
 * textToEnv parses NAME=value lines. A name without a value keeps the value stored for it. `bad` is the
 * first invalid line, or "" if there is none.
 */
function textToEnv(text: string): { env: Record<string, string>; bad: string } {
  const env: Record<string, string> = {};
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "") continue;
    const [, name, , value = ""] = /^([A-Za-z_]\w*)(=(.*))?$/.exec(line) ?? [];
    if (!name) return { env, bad: line };
    env[name] = value;
  }
  return { env, bad: "" };
}

/** CustomAgentForm adds or edits a custom agent. */
export function CustomAgentForm(props: { profile?: CustomAgent; onDone: () => void }) {
  const id = createUniqueId();
  const keep = trackForm(() => props.onDone());
  // The values when the form opens. Later changes to the profile don't affect the fields.
  const initial: CustomAgent = props.profile
    ? structuredClone(unwrap(props.profile))
    : { id: "", name: "", createdAt: 0 };
  const [name, setName] = createSignal(initial.name);
  const [start, setStart] = createSignal(
    initial.address || [initial.command ?? "", ...(initial.args ?? [])].map(quoted).join(" ").trim(),
  );
  const [env, setEnv] = createSignal((initial.env ?? []).join("\n"));
  const [github, setGitHub] = createSignal(initial.github === true);
  const [home, setHome] = createSignal(initial.home ?? "");
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);

  const save = async () => {
    const parts = splitWords(start());
    const values = textToEnv(env());
    const wrong = parts.length === 0 ? t.needStart : values.bad === "" ? "" : t.envBad(values.bad);
    setFailure(wrong);
    if (wrong !== "") return;
    const isAddress = parts.length === 1 && address.test(parts[0] as string);
    setBusy(true);
    try {
      await actions.saveProfile(
        {
          ...initial,
          name: name().trim() || (parts[0] as string),
          address: isAddress ? parts[0] : "",
          command: isAddress ? "" : parts[0],
          args: isAddress ? [] : parts.slice(1),
          env: Object.keys(values.env),
          github: github(),
          home: home().trim(),
        },
        values.env,
      );
      props.onDone();
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setBusy(false);
    }
  };
  const field = (
    key: string,
    label: string,
    fact: string,
    control: (id: string, factId: string) => JSX.Element,
  ) => (
    <Row
      label={<label for={`${id}-${key}`}>{label}</label>}
      fact={<span id={`${id}-${key}-fact`}>{fact}</span>}
    >
      {control(`${id}-${key}`, `${id}-${key}-fact`)}
    </Row>
  );

  return (
    <form
      ref={keep}
      class="provider-form"
      aria-label={initial.id === "" ? t.add : initial.name}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {field("start", t.start, t.startFact, (fieldId, factId) => (
        <input
          id={fieldId}
          class="input mono sel"
          spellcheck={false}
          autocomplete="off"
          placeholder={t.startPlaceholder}
          aria-describedby={factId}
          value={start()}
          onInput={(event) => setStart(event.currentTarget.value)}
        />
      ))}
      {field("env", t.env, initial.key ? t.envStored : t.envFact, (fieldId, factId) => (
        <textarea
          id={fieldId}
          class="input mono sel"
          rows={2}
          spellcheck={false}
          placeholder={t.envPlaceholder}
          aria-describedby={factId}
          value={env()}
          onInput={(event) => setEnv(event.currentTarget.value)}
        />
      ))}
      <Row label={t.github} fact={t.githubFact}>
        <Switch label={t.github} on={github()} onChange={setGitHub} />
      </Row>
      {field("home", t.home, t.homeFact, (fieldId, factId) => (
        <input
          id={fieldId}
          class="input mono sel"
          spellcheck={false}
          autocomplete="off"
          aria-describedby={factId}
          value={home()}
          onInput={(event) => setHome(event.currentTarget.value)}
        />
      ))}
      {field("name", t.name, t.nameFact, (fieldId, factId) => (
        <input
          id={fieldId}
          class="input sel"
          autocomplete="off"
          aria-describedby={factId}
          value={name()}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      ))}
      <Show when={failure()}>
        <Failure text={failure()} />
      </Show>
      <div class="row form-acts">
        <Button large look="primary" type="submit" disabled={busy()}>
          {messages.common.save}
        </Button>
        <Button large look="ghost" onClick={() => props.onDone()}>
          {messages.common.cancel}
        </Button>
      </div>
    </form>
  );
}

function quoted(word: string): string {
  return /[\s"']/.test(word) ? JSON.stringify(word) : word;
}
