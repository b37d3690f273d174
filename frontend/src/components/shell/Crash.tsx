import { onMount } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Logo } from "../ui/Logo";

function errorText(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.message}\n${thrown.stack ?? ""}` : String(thrown);
}

/** Crash replaces the UI after a render error and offers to reload. */
export function Crash(props: { thrown: unknown }) {
  onMount(() => actions.log("error", `window: ${errorText(props.thrown)}`));
  return (
    <Notice title={messages.shell.crash.title} body={messages.shell.crash.body}>
      <Button large look="primary" onClick={() => window.location.reload()}>
        {messages.shell.crash.reload}
      </Button>
      <CopyButton large text={errorText(props.thrown)} label={messages.common.copyDetails} look="ghost" />
    </Notice>
  );
}

export interface NoticeProps {
  title: string;
  body: string;
  /** The error message from the system, which includes the path if the error concerns a file. */
  detail?: string;
  children: import("solid-js").JSX.Element;
}

/** Notice is a screen that explains why the UI can't be shown. */
export function Notice(props: NoticeProps) {
  return (
    <main class="fr" aria-labelledby="notice-t">
      <div role="alert">
        <Logo class="mark" />
        <h1 id="notice-t">{props.title}</h1>
        <p class="lead">{props.body}</p>
        {props.detail ? <pre class="out notice-detail sel">{props.detail}</pre> : null}
        <div class="row wrap">{props.children}</div>
      </div>
    </main>
  );
}
