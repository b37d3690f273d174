import { createMemo, createSignal, createUniqueId, Show } from "solid-js";
import { messages } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { RuleEffect, RuleKind } from "../../state/types";
import { trackForm } from "../../state/unsavedChanges";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Select } from "../ui/fields";
import { Row } from "./parts";

const t = messages.settings.permissions;
const hour = 60 * 60 * 1000;

const effects: { value: RuleEffect; label: string }[] = [
  { value: "allow", label: t.allow },
  { value: "deny", label: t.never },
];
/** The kinds of rules that the form creates. */
type FormKind = Exclude<RuleKind, "turn">;

const kinds: { value: FormKind; label: string }[] = [
  { value: "prefix", label: t.kinds.prefix },
  { value: "glob", label: t.kinds.glob },
  { value: "host", label: t.kinds.host },
];
/**
 * For these kinds, the form creates only deny rules. Allow rules are created from a request, which shows the whole
 * action.
 */
const denyOnlyKinds: { value: FormKind; label: string }[] = [
  { value: "command", label: t.kinds.command },
  { value: "edits", label: t.kinds.edits },
];
const durations = [
  { value: "0", label: t.neverExpires },
  { value: String(hour), label: t.lastsHour },
  { value: String(24 * hour), label: t.lastsDay },
  { value: String(7 * 24 * hour), label: t.lastsWeek },
];

/**
 * RuleForm creates a rule that isn't based on a request: an allow or deny rule for a prefix, a pattern or a host, or a
 * deny rule of another kind.
 */
export function RuleForm(props: { onDone: () => void }) {
  const state = useStore();
  const id = createUniqueId();
  const keep = trackForm(() => props.onDone());
  const [effect, setEffect] = createSignal<RuleEffect>("allow");
  const [kind, setKind] = createSignal<FormKind>("prefix");
  const [command, setCommand] = createSignal("");
  const [folder, setFolder] = createSignal("");
  const [lasting, setLasting] = createSignal("0");
  const [failure, setFailure] = createSignal("");
  const folders = createMemo(() => [
    { value: "", label: t.everyFolder },
    ...[...new Set(Object.values(state.chats).map((chat) => chat.folder))]
      .sort()
      .map((path) => ({ value: path, label: tilde(path) })),
  ]);
  const change = (to: RuleEffect) => {
    setEffect(to);
    if (to === "allow" && !kinds.some((each) => each.value === kind())) setKind("prefix");
  };
  const save = async () => {
    setFailure("");
    const text = kind() === "edits" ? "" : command().trim();
    try {
      await actions.saveRule({
        id: "",
        effect: effect(),
        scope: { kind: kind(), folder: folder(), command: text },
        createdAt: 0,
        expiresAt: lasting() === "0" ? 0 : Date.now() + Number(lasting()),
      });
      props.onDone();
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  const fact = () => {
    const denied: Partial<Record<string, string>> = effect() === "deny" ? t.denyFacts : {};
    return denied[kind()] ?? t.textFacts[kind()];
  };
  return (
    <form
      ref={keep}
      class="provider-form"
      aria-label={t.add}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Row label={t.effect} fact={effect() === "deny" ? t.denyFact : undefined}>
        <Select label={t.effect} value={effect()} choices={effects} onChange={change} />
      </Row>
      <Row label={t.what}>
        <Select
          label={t.what}
          value={kind()}
          choices={effect() === "deny" ? [...kinds, ...denyOnlyKinds] : kinds}
          onChange={setKind}
        />
      </Row>
      <Show when={kind() !== "edits"}>
        <Row label={<label for={`${id}-text`}>{t.texts[kind()]}</label>} fact={fact()}>
          <input
            id={`${id}-text`}
            class="input mono sel"
            spellcheck={false}
            autocomplete="off"
            placeholder={t.examples[kind()] && messages.common.example(t.examples[kind()])}
            value={command()}
            onInput={(event) => setCommand(event.currentTarget.value)}
          />
        </Row>
      </Show>
      <Row label={t.folder}>
        <Select label={t.folder} value={folder()} choices={folders()} onChange={setFolder} />
      </Row>
      <Row label={t.lasts}>
        <Select label={t.lasts} value={lasting()} choices={durations} onChange={setLasting} />
      </Row>
      <Failure text={failure()} />
      <div class="row form-acts">
        <Button large look="primary" type="submit">
          {messages.common.save}
        </Button>
        <Button large look="ghost" onClick={() => props.onDone()}>
          {messages.common.cancel}
        </Button>
      </div>
    </form>
  );
}
