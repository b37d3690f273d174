import { createSignal, createUniqueId, onMount } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import "./account.css";

const t = messages.account.token;

/** The start of a classic token. GitHub accepts such tokens, but Copilot doesn't. */
const classic = /^ghp_/;

/**
 * TokenForm signs in with a pasted token. It passes the token to the app in a single call and never puts it
 * in a store.
 */
export function TokenForm(props: { onDone: () => void; onBack: () => void }) {
  const state = useStore();
  const id = createUniqueId();
  let field!: HTMLInputElement;
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  onMount(() => field.focus());
  const refuse = (why: string) => {
    setFailure(why);
    field.focus();
  };
  const submit = async () => {
    const token = field.value.trim();
    if (busy()) return;
    if (token === "") return refuse(t.empty);
    if (classic.test(token)) return refuse(t.classic);
    setFailure("");
    setBusy(true);
    try {
      await actions.signInWithToken(token);
      field.value = "";
      props.onDone();
    } catch (thrown) {
      refuse(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setBusy(false);
    }
  };
  const make = () =>
    actions
      .openURL(`https://${state.account.host}/settings/personal-access-tokens/new`)
      .catch((thrown) => setFailure(thrown.message));
  return (
    <form
      class="token-form"
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p id={`${id}-about`}>
        {t.body}{" "}
        <button type="button" class="link" onClick={make}>
          {t.make}
        </button>
      </p>
      <label class="sr" for={id}>
        {t.label}
      </label>
      <input
        ref={field}
        id={id}
        class="input mono"
        type="password"
        placeholder={messages.common.example("github_pat_…")}
        spellcheck={false}
        autocomplete="off"
        aria-describedby={`${id}-about`}
        aria-invalid={failure() !== "" ? "true" : undefined}
        onInput={() => setFailure("")}
      />
      <Failure text={failure()} />
      <div class="row wrap">
        <Button large look="primary" type="submit" disabled={busy()}>
          {busy() ? t.checking : t.save}
        </Button>
        <Button large look="ghost" onClick={() => props.onBack()}>
          {t.back}
        </Button>
      </div>
    </form>
  );
}
