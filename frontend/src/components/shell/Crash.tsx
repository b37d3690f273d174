import { onMount } from "solid-js";
import { words } from "../../i18n";
import { actions } from "../../state/actions";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Logo } from "../ui/Logo";

function told(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.message}\n${thrown.stack ?? ""}` : String(thrown);
}

/** Crash stands in the place of a window that failed to draw, and offers to load it again. */
export function Crash(props: { thrown: unknown }) {
  onMount(() => actions.log("error", `window: ${told(props.thrown)}`));
  return (
    <Notice title={words.shell.crash.title} body={words.shell.crash.body}>
      <Button large look="primary" onClick={() => window.location.reload()}>
        {words.shell.crash.reload}
      </Button>
      <CopyButton large text={told(props.thrown)} label={words.common.copyDetails} look="ghost" />
    </Notice>
  );
}

export interface NoticeProps {
  title: string;
  body: string;
  /** The system's own words, and where it is about a file, its path. */
  detail?: string;
  children: import("solid-js").JSX.Element;
}

/** Notice is a screen that says why there is no other. */
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
