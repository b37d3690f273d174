import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createEffect, createMemo, createSignal, Match, onCleanup, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { isSignedIn } from "../../state/account";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { Avatar } from "../account/Avatar";
import { accountName } from "../account/accountName";
import { refusal, SignIn, type SignInOption, SignInOptions } from "../account/SignIn";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import "./firstrun.css";

const t = messages.account;

export interface SignInStepProps {
  onSignedIn: () => void;
  onOwnModel: () => void;
  /** Called with true if the step offers to continue with a sign-in found on this computer, otherwise with false. */
  onFound: (found: boolean) => void;
}

/** SignInStep continues with a sign-in found on this computer, or starts a new one. */
export function SignInStep(props: SignInStepProps) {
  const state = useStore();
  const account = () => state.account;
  const [another, setAnother] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const own: SignInOption = { label: t.ways.own, fact: t.ways.ownFact, onChoose: () => props.onOwnModel() };
  // A sign-in in progress stays visible until it has ended, even if the account becomes known earlier.
  const signing = createMemo(
    (was: boolean) => was || another() || (account().state !== "unknown" && !isSignedIn(account())),
    false,
  );
  createEffect(() => props.onFound(!signing() && isSignedIn(account())));
  onCleanup(() => props.onFound(false));
  const found = () => {
    if (account().state !== "own") return t.found.body(account());
    return account().login ? t.found.bodyOwn : t.found.bodyOwnUnsure;
  };
  const again = () => {
    setFailure("");
    actions.checkAccount().catch((thrown) => setFailure(thrown.message));
  };
  return (
    <Switch
      fallback={
        <>
          <p class="row">
            <Icon of={LoaderCircle} size="sm" class="spin subtle" />
            {t.checkingSignIn}
          </p>
          <SignInOptions ways={[own]} />
        </>
      }
    >
      <Match when={signing()}>
        <Show when={account().state === "locked"}>
          <div class="signin-notice">
            <p>
              <strong>{t.locked.strong}</strong> {t.locked.body}
            </p>
            <div class="row wrap">
              <Button large look="primary" onClick={again}>
                {t.locked.again}
              </Button>
            </div>
            <Failure text={failure()} />
          </div>
        </Show>
        <Show when={account().state === "expired" || account().state === "wrong_kind"}>
          <p class="signin-notice c-bad">{refusal(account())}</p>
        </Show>
        <SignIn onDone={() => props.onSignedIn()} otherOptions={[own]} focus={another()} />
      </Match>
      <Match when={isSignedIn(account())}>
        <p>{found()}</p>
        <div class="who">
          <Avatar account={account()} large />
          <div>
            <strong class="trunc">{accountName(account())}</strong>
            <span class="trunc">{account().name || account().host}</span>
          </div>
        </div>
        <div class="row wrap">
          <Button large look="primary" onClick={() => props.onSignedIn()}>
            {account().login ? t.found.continueAs(account().login ?? "") : t.found.continueOwn}
          </Button>
          <Button large onClick={() => setAnother(true)}>
            {t.found.another}
          </Button>
        </div>
        <SignInOptions ways={[own]} />
      </Match>
    </Switch>
  );
}
