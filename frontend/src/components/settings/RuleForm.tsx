import { createMemo, createSignal, createUniqueId, Show } from "solid-js";
import { words } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { RuleEffect, RuleKind } from "../../state/types";
import { trackForm } from "../../state/unsavedChanges";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Select } from "../ui/fields";
import { Row } from "./parts";

const w = words.settings.permissions;
const hour = 60 * 60 * 1000;

const effects: { value: RuleEffect; label: string }[] = [
  { value: "allow", label: w.allow },
  { value: "deny", label: w.never },
];
const kinds: { value: RuleKind; label: string }[] = [
  { value: "prefix", label: w.kinds.prefix },
  { value: "glob", label: w.kinds.glob },
  { value: "host", label: w.kinds.host },
];
/** These kinds can only be denied here: they are allowed on a request, which shows them completely. */
const deniedOnly: { value: RuleKind; label: string }[] = [
  { value: "command", label: w.kinds.command },
  { value: "edits", label: w.kinds.edits },
];
const lasts = [
  { value: "0", label: w.forGood },
  { value: String(hour), label: w.lastsHour },
  { value: String(24 * hour), label: w.lastsDay },
  { value: String(7 * 24 * hour), label: w.lastsWeek },
];

/** RuleForm creates rules that no request offers: a prefix, a pattern, a host, or a deny rule. */
export function RuleForm(props: { onDone: () => void }) {
  const state = useStore();
  const id = createUniqueId();
  const keep = trackForm(() => props.onDone());
  const [effect, setEffect] = createSignal<RuleEffect>("allow");
  const [kind, setKind] = createSignal<RuleKind>("prefix");
  const [command, setCommand] = createSignal("");
  const [folder, setFolder] = createSignal("");
  const [lasting, setLasting] = createSignal("0");
  const [failure, setFailure] = createSignal("");
  const folders = createMemo(() => [
    { value: "", label: w.everyFolder },
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
    const denied: Partial<Record<string, string>> = effect() === "deny" ? w.denyFacts : {};
    return denied[kind()] ?? w.textFacts[kind()];
  };
  return (
    <form
      ref={keep}
      class="provider-form"
      aria-label={w.add}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Row label={w.effect} fact={effect() === "deny" ? w.denyFact : undefined}>
        <Select label={w.effect} value={effect()} choices={effects} onChange={change} />
      </Row>
      <Row label={w.what}>
        <Select
          label={w.what}
          value={kind()}
          choices={effect() === "deny" ? [...kinds, ...deniedOnly] : kinds}
          onChange={setKind}
        />
      </Row>
      <Show when={kind() !== "edits"}>
        <Row label={<label for={`${id}-text`}>{w.texts[kind()]}</label>} fact={fact()}>
          <input
            id={`${id}-text`}
            class="input mono sel"
            spellcheck={false}
            autocomplete="off"
            placeholder={w.examples[kind()] && words.common.example(w.examples[kind()])}
            value={command()}
            onInput={(event) => setCommand(event.currentTarget.value)}
          />
        </Row>
      </Show>
      <Row label={w.folder}>
        <Select label={w.folder} value={folder()} choices={folders()} onChange={setFolder} />
      </Row>
      <Row label={w.lasts}>
        <Select label={w.lasts} value={lasting()} choices={lasts} onChange={setLasting} />
      </Row>
      <Failure text={failure()} />
      <div class="row form-acts">
        <Button large look="primary" type="submit">
          {words.common.save}
        </Button>
        <Button large look="ghost" onClick={() => props.onDone()}>
          {words.common.cancel}
        </Button>
      </div>
    </form>
  );
}
