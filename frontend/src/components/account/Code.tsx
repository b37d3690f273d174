// The code to enter on GitHub, in large boxes, and the status of the sign-in.

import CircleAlert from "lucide-solid/icons/circle-alert";
import CircleCheck from "lucide-solid/icons/circle-check";
import ExternalLink from "lucide-solid/icons/external-link";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createEffect, createSignal, For, on, onMount, Show } from "solid-js";
import { messages } from "../../i18n";
import { createNow } from "../../lib/clock";
import { actions } from "../../state/actions";
import type { SignIn, SignInState } from "../../state/types";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { clock } from "../ui/time";
import "./account.css";

const t = messages.account.code;

/** Placeholder shown until the code arrives. */
const blank = "    -    ";
const minute = 60_000;
/**
 * The remaining time that screen readers announce is rounded up to a multiple of this number of minutes, except in the
 * last minute.
 */
const announceStep = 5;

const displayAddress = (url: string) => url.replace(/^https?:\/\//, "").replace(/\/$/, "");

function Boxes(props: { code: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form controls, and these are letters.
    <div
      class="signin-code sel"
      role="group"
      aria-label={props.code === blank ? undefined : t.label(props.code)}
      aria-hidden={props.code === blank ? "true" : undefined}
    >
      <For each={[...props.code]}>
        {(letter) => (
          <Show when={letter !== "-"} fallback={<i />}>
            <b aria-hidden="true">{letter}</b>
          </Show>
        )}
      </For>
    </div>
  );
}

/**
 * Code shows the sign-in code with a link to the page where the user enters it. The boxes are empty until
 * the code arrives.
 */
export function Code(props: { signIn: SignIn; focus?: boolean }) {
  const [failure, setFailure] = createSignal("");
  let actsRow!: HTMLDivElement;
  onMount(() => {
    createEffect(
      on(
        () => props.signIn.code,
        (code) => {
          // The button that requested the code, and had the focus, no longer exists.
          if (code && props.focus) actsRow.querySelector("button")?.focus();
        },
      ),
    );
  });
  const attempt = (work: Promise<unknown>) => {
    setFailure("");
    return work.catch((thrown) => setFailure(thrown.message));
  };
  const open = () => attempt(actions.openURL(props.signIn.url ?? ""));
  const copyAndOpen = async () => {
    setFailure("");
    try {
      await actions.copy(props.signIn.code ?? "");
      await actions.openURL(props.signIn.url ?? "");
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <>
      <p class="sel">
        {t.open}
        <Show when={props.signIn.url} fallback="GitHub">
          {(url) => (
            <button type="button" class="link" onClick={open}>
              {displayAddress(url())}
            </button>
          )}
        </Show>
        {t.type}
      </p>
      <Boxes code={props.signIn.code || blank} />
      <div class="row wrap" ref={actsRow}>
        <Button
          large
          look="primary"
          icon={ExternalLink}
          disabled={!props.signIn.code}
          onClick={() => void copyAndOpen()}
        >
          {t.copyAndOpen}
        </Button>
        <Show
          when={props.signIn.code}
          fallback={
            <Button large disabled>
              {t.copy}
            </Button>
          }
        >
          {(code) => <CopyButton large text={code()} label={t.copy} />}
        </Show>
      </div>
      <Failure text={failure()} />
    </>
  );
}

/** Messages for unsuccessful sign-ins. */
const endings: Partial<Record<SignInState, string>> = {
  expired: t.expired,
  denied: t.denied,
  unreachable: t.unreachable,
  failed: t.failed,
};

/** signInFailure returns the failure message of a sign-in, or undefined if the sign-in hasn't failed. */
export function signInFailure(signIn: SignIn): string | undefined {
  const how = endings[signIn.state];
  return signIn.state === "failed" && signIn.message ? signIn.message : how;
}

/**
 * Status shows the state of a sign-in in one line. The clock isn't announced; screen readers are notified
 * when the state changes, and every few minutes.
 */
export function Status(props: { signIn: SignIn; starting?: string; waiting?: string }) {
  const now = createNow();
  const left = () => Math.max(0, (props.signIn.expiresAt ?? 0) - now());
  const bad = () => signInFailure(props.signIn);
  const heardMinutes = () => {
    const minutes = Math.ceil(left() / minute);
    return minutes <= 1 ? 1 : Math.ceil(minutes / announceStep) * announceStep;
  };
  const says = () => {
    switch (props.signIn.state) {
      case "starting":
        return props.starting ?? t.starting;
      case "waiting":
        return props.waiting ?? t.waiting;
      case "done":
        return t.done;
      default:
        return bad() ?? "";
    }
  };
  return (
    <p class="signin-status" role="status" aria-label={t.status}>
      <Icon
        of={bad() ? CircleAlert : props.signIn.state === "done" ? CircleCheck : LoaderCircle}
        size="sm"
        class={bad() ? "c-bad" : props.signIn.state === "done" ? "c-ok" : "spin"}
      />
      <span>
        {says()}
        <Show when={props.signIn.state === "waiting" && props.signIn.expiresAt}>
          <span class="num" aria-hidden="true">
            {` ${t.works(clock(left()))}`}
          </span>
          <span class="sr">{t.works(t.minutes(heardMinutes()))}</span>
        </Show>
      </span>
    </p>
  );
}
