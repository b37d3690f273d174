import { Dialog as Kobalte } from "@kobalte/core/dialog";
import { createSignal, Show } from "solid-js";
import { words } from "../../i18n";
import { actions } from "../../state/actions";
import { closeDialog, dialog } from "../../state/dialogs";
import { go } from "../../state/screen";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { Command } from "../ui/CopyButton";
import { Ask } from "../ui/Dialog";
import { Failure } from "../ui/Failure";
import { createOpener } from "../ui/opener";
import { SignIn } from "./SignIn";
import { whoOf } from "./who";
import "./account.css";

const w = words.account;

/** toWork focuses the main content after a dialog whose opener no longer exists. */
function toWork(): void {
  document.querySelector<HTMLElement>(".main textarea, .set h1, .main [tabindex='0']")?.focus();
}

function SignInDialog(props: { onSignedIn: () => void }) {
  const state = useStore();
  let content: HTMLDivElement | undefined;
  const opener = createOpener();
  return (
    <Kobalte open={dialog() === "sign_in"} onOpenChange={(open) => !open && closeDialog()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="dialog-scrim" />
        <div class="dialog-place">
          <Kobalte.Content
            ref={content}
            class="dialog signin-dialog"
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              opener.opened();
              content?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              // The banner that opened this dialog disappears with its cause.
              opener.closed(toWork);
            }}
          >
            <Kobalte.Title class="dialog-title">{w.dialog.title(state.account.host)}</Kobalte.Title>
            <SignIn
              focus
              onDone={() => {
                props.onSignedIn();
                closeDialog();
              }}
            />
            <div class="dialog-acts">
              <Button large onClick={closeDialog}>
                {words.common.cancel}
              </Button>
            </div>
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}

/** SignOutDialog confirms a sign-out, or explains how to sign out if VoxPilot doesn't store the sign-in. */
function SignOutDialog() {
  const state = useStore();
  const [failure, setFailure] = createSignal("");
  const open = () => dialog() === "sign_out";
  const close = () => {
    setFailure("");
    closeDialog();
  };
  const signOut = () => {
    setFailure("");
    actions.signOut().then(
      () => {
        close();
        setTimeout(() => document.activeElement === document.body && toWork());
      },
      (thrown) => setFailure(thrown.message),
    );
  };
  const choose = () => {
    close();
    go({ name: "settings", page: "account" });
  };
  const source = () => state.account.source ?? "stored";
  const ours = () => source() === "stored" || source() === "cli";
  const title = () => {
    switch (source()) {
      case "env":
        return w.out.env.title(state.account);
      case "gh":
        return w.out.gh.title;
      case "cli":
        return w.out.cli.title;
      default:
        return w.out.stored.title(whoOf(state.account));
    }
  };
  return (
    <Ask
      open={open()}
      title={title()}
      body={w.out[source()].body}
      confirm={ours() ? w.out.confirm : w.out.choose}
      cancel={ours() ? undefined : w.out.close}
      onConfirm={ours() ? signOut : choose}
      onClose={close}
    >
      <Show when={source() === "gh"}>
        <Command text={w.out.gh.command(state.account.host)} />
      </Show>
      <Failure text={failure()} />
    </Ask>
  );
}

/** AccountDialogs renders the account dialogs, one of each per window. */
export function AccountDialogs() {
  const state = useStore();
  // Set shortly after the sign-in: the user's name arrives with the account.
  const [said, setSaid] = createSignal(false);
  const says = () => {
    if (!said()) return "";
    return state.account.state === "own" ? w.dialog.signedInOwn : w.dialog.signedIn(whoOf(state.account));
  };
  return (
    <>
      <SignInDialog onSignedIn={() => setSaid(true)} />
      <SignOutDialog />
      <p class="sr" aria-live="polite">
        {dialog() ? "" : says()}
      </p>
    </>
  );
}
