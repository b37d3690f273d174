import { Dialog as Kobalte } from "@kobalte/core/dialog";
import { createSignal, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { closeDialog, dialog } from "../../state/dialogs";
import { go } from "../../state/screen";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Command } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { createOpener } from "../ui/opener";
import { accountName } from "./accountName";
import { SignIn } from "./SignIn";
import "./account.css";

const t = messages.account;

/**
 * focusComposer focuses the composer or, on a screen without one, the main content. It is used if the element
 * that opened a dialog no longer exists when the dialog closes.
 */
function focusComposer(): void {
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  (find(".main textarea") ?? find(".set h1") ?? find(".main [tabindex='0']"))?.focus();
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
              // After the sign-in, the banner that opened this dialog may no longer exist.
              opener.closed(focusComposer);
            }}
          >
            <Kobalte.Title class="dialog-title">{t.dialog.title(state.account.host)}</Kobalte.Title>
            <SignIn
              focus
              onDone={() => {
                props.onSignedIn();
                closeDialog();
              }}
            />
            <div class="dialog-acts">
              <Button large onClick={closeDialog}>
                {messages.common.cancel}
              </Button>
            </div>
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}

/**
 * SignOutDialog asks the user to confirm signing out, or explains how to sign out if VoxPilot doesn't store the
 * sign-in.
 */
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
        setTimeout(() => document.activeElement === document.body && focusComposer());
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
        return t.out.env.title(state.account);
      case "gh":
        return t.out.gh.title;
      case "cli":
        return t.out.cli.title;
      default:
        return t.out.stored.title(accountName(state.account));
    }
  };
  return (
    <ConfirmDialog
      open={open()}
      title={title()}
      body={t.out[source()].body}
      confirm={ours() ? t.out.confirm : t.out.choose}
      cancel={ours() ? undefined : t.out.close}
      onConfirm={ours() ? signOut : choose}
      onClose={close}
    >
      <Show when={source() === "gh"}>
        <Command text={t.out.gh.command(state.account.host)} />
      </Show>
      <Failure text={failure()} />
    </ConfirmDialog>
  );
}

/** AccountDialogs renders the account dialogs. Only one instance of it exists in the window. */
export function AccountDialogs() {
  const state = useStore();
  // True after a sign-in in the dialog has succeeded. The user's name comes from the account, which may
  // arrive slightly later.
  const [isAnnounced, setAnnounced] = createSignal(false);
  const announcement = () => {
    if (!isAnnounced()) return "";
    return state.account.state === "own"
      ? t.dialog.signedInOwn
      : t.dialog.signedIn(accountName(state.account));
  };
  return (
    <>
      <SignInDialog onSignedIn={() => setAnnounced(true)} />
      <SignOutDialog />
      <p class="sr" aria-live="polite">
        {dialog() ? "" : announcement()}
      </p>
    </>
  );
}
