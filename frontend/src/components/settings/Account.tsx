import Lock from "lucide-solid/icons/lock";
import LockOpen from "lucide-solid/icons/lock-open";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import { createEffect, createMemo, createSignal, createUniqueId, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { actions } from "../../state/actions";
import { openSignIn, openSignOut } from "../../state/dialogs";
import { useStore } from "../../state/store";
import type { TokenSource } from "../../state/types";
import { Avatar } from "../account/Avatar";
import { accountName, hasSignIn } from "../account/accountName";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Select } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { moment } from "../ui/time";
import { Orchestrator } from "./Orchestrator";
import { createSave, Row } from "./parts";

const t = messages.account;

/** Account is the page about the user's GitHub account, the sign-in to use, and the orchestrator. */
export function Account() {
  const { save, failure, setFailure } = createSave();
  return (
    <>
      <UserRow />
      <CheckRow onFailure={setFailure} />
      <StorageRow />
      <SourceRow save={save} />
      <Failure text={failure()} />
      <Orchestrator />
      <ClientIDRow save={save} />
    </>
  );
}

type Save = ReturnType<typeof createSave>["save"];

function UserRow() {
  const state = useStore();
  const account = () => state.account;
  const someone = () => hasSignIn(account());
  return (
    <div class="sr-row first">
      <div class="lb who">
        <Avatar account={account()} large />
        <div>
          <div class="strong trunc" title={account().login}>
            {accountName(account())}
          </div>
          <div class="ds">{t.state(account())}</div>
        </div>
      </div>
      <div class="row">
        <Show
          when={someone()}
          fallback={
            <Button large look="primary" onClick={openSignIn}>
              {t.signIn}
            </Button>
          }
        >
          <Button large look="ghost" onClick={openSignIn}>
            {t.another}
          </Button>
          <Button large onClick={openSignOut}>
            {t.signOut}
          </Button>
        </Show>
      </div>
    </div>
  );
}

function CheckRow(props: { onFailure: (why: string) => void }) {
  const state = useStore();
  const account = () => state.account;
  const [busy, setBusy] = createSignal(false);
  const [isRequested, setRequested] = createSignal(false);
  const last = () => {
    const { state: how, checkedAt = 0 } = account();
    if (how === "own") return t.checkOwn;
    if (!hasSignIn(account())) return t.checkNone;
    const result =
      checkedAt === 0
        ? t.checkNever
        : t.checkLast(t.ago(coarseNow(checkedAt) - checkedAt), t.checked(account()));
    return t.checkFact(result);
  };
  /**
   * An additional message from the app: the state of an external sign-in, or the reason GitHub couldn't
   * be reached.
   */
  const says = () => {
    const { state: how, source, message } = account();
    return source === "stored" && (how === "expired" || how === "locked") ? "" : message;
  };
  // The visible line includes the time of the check; screen readers receive only the result, and only
  // once.
  const announcement = createMemo(() =>
    isRequested() && account().checkedAt ? `${t.check}: ${t.checked(account())}` : "",
  );
  const check = async () => {
    props.onFailure("");
    setBusy(true);
    setRequested(true);
    try {
      await actions.checkAccount();
    } catch (thrown) {
      props.onFailure(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Row
      label={t.check}
      fact={
        <>
          {last()}
          <Show when={says()}>
            {(message) => (
              <>
                <br />
                <span class="c-attn sel">{message()}</span>
              </>
            )}
          </Show>
          <span class="sr" aria-live="polite">
            {announcement()}
          </span>
        </>
      }
    >
      <Button large disabled={busy()} onClick={() => void check()}>
        {busy() ? t.checking : t.checkNow}
      </Button>
    </Row>
  );
}

function StorageRow() {
  const state = useStore();
  const account = () => state.account;
  const stored = () => account().source === "stored";
  const mark = () => {
    if (account().state === "locked") return { icon: LockOpen, look: "c-attn", text: t.lockedTag };
    if (!stored()) return { icon: undefined, look: "subtle", text: t.external };
    if (account().key === "memory") return { icon: TriangleAlert, look: "c-attn", text: t.untilQuit };
    if (account().key === "missing") return { icon: TriangleAlert, look: "c-bad", text: t.missing };
    return { icon: Lock, look: "c-ok", text: t.protected };
  };
  return (
    <Show when={hasSignIn(account()) || account().state === "locked"}>
      <Row label={t.storedIn} fact={<span class="wrap-any">{t.storage(account())}</span>}>
        <span class={`row status ${mark().look}`}>
          <Show when={mark().icon}>{(icon) => <Icon of={icon()} size="sm" />}</Show>
          <span>{mark().text}</span>
        </span>
      </Row>
      <Show when={account().expiresAt}>
        {(at) => (
          <Row label={t.until}>
            <span class="subtle num">{moment(at(), coarseNow(at()))}</span>
          </Row>
        )}
      </Show>
    </Show>
  );
}

/** SourceRow selects one of the sign-ins found on this computer. */
function SourceRow(props: { save: Save }) {
  const state = useStore();
  const pinned = () => state.settings.signIn;
  const sources = createMemo(() => {
    const found = state.account.found ?? [];
    const chosen = pinned();
    return chosen && !found.includes(chosen) ? [...found, chosen] : found;
  });
  const name = (source: TokenSource) => {
    const known = t.name(source, state.account);
    return state.account.found?.includes(source) ? known : t.notFound(known);
  };
  const choose = async (signIn: TokenSource | "") => {
    if (!(await props.save({ signIn: signIn === "" ? undefined : signIn }))) return;
    actions.checkAccount().catch((thrown) => actions.log("warn", `check: ${thrown.message}`));
  };
  return (
    <Show when={sources().length > 1 || pinned()}>
      <Row label={t.signInToUse} fact={t.usedFact}>
        <Select<TokenSource | "">
          label={t.signInToUse}
          value={pinned() ?? ""}
          choices={[
            { value: "", label: t.automatic },
            ...sources().map((source) => ({ value: source, label: name(source) })),
          ]}
          onChange={(source) => void choose(source)}
        />
      </Row>
    </Show>
  );
}

/** ClientIDRow sets the OAuth app that replaces the built-in one when the user signs in with a code. */
function ClientIDRow(props: { save: Save }) {
  const state = useStore();
  const id = createUniqueId();
  const saved = createMemo(() => state.settings.clientId ?? "");
  const [typed, setTyped] = createSignal("");
  createEffect(on(saved, (clientId) => setTyped(clientId)));
  // deviceFlow is also true if the user has entered a client ID.
  const builtIn = () => state.account.deviceFlow === true && saved() === "";
  const none = () => state.account.deviceFlow !== true;
  const keep = async (clientId: string) => {
    if (clientId === saved()) return;
    if (!(await props.save({ clientId: clientId === "" ? undefined : clientId }))) return;
    actions.checkAccount().catch((thrown) => actions.log("warn", `check: ${thrown.message}`));
  };
  return (
    <>
      <h2>{t.codeSignIn}</h2>
      <Row label={<label for={id}>{t.clientId}</label>} fact={none() ? t.clientIdFactNone : t.clientIdFact}>
        <input
          id={id}
          class="input mono sel"
          placeholder={builtIn() ? t.clientIdPlaceholder : t.clientIdPlaceholderNone}
          spellcheck={false}
          autocomplete="off"
          value={typed()}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => void keep(event.currentTarget.value.trim())}
        />
      </Row>
    </>
  );
}
