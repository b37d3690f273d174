import Check from "lucide-solid/icons/check";
import Copy from "lucide-solid/icons/copy";
import { createSignal, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { Button, IconButton } from "./Button";

/** Time in milliseconds that the check mark stays visible after copying. */
const confirmMillis = 1600;

/** The text to copy, or a function that loads it. */
type CopySource = string | (() => Promise<string>);

function createCopy(of: () => CopySource) {
  const [done, setDone] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  const copy = () => {
    const now = of();
    const brought = typeof now === "string" ? Promise.resolve(now) : now();
    brought.then(actions.copy).then(
      () => {
        setDone(true);
        clearTimeout(timer);
        timer = setTimeout(() => setDone(false), confirmMillis);
      },
      (thrown) => actions.log("warn", `copy: ${thrown.message}`),
    );
  };
  return { done, copy };
}

/** CopyIcon copies text and confirms with a check mark and an announcement. */
export function CopyIcon(props: { text: CopySource; label: string }) {
  const { done, copy } = createCopy(() => props.text);
  return (
    <>
      <IconButton small icon={done() ? Check : Copy} label={props.label} onClick={copy} />
      <span class="sr" role="status">
        {done() ? messages.common.copied : ""}
      </span>
    </>
  );
}

/** CopyButton is a CopyIcon with a visible label. */
export function CopyButton(props: { text: CopySource; label: string; look?: "ghost"; large?: boolean }) {
  const { done, copy } = createCopy(() => props.text);
  return (
    <Button look={props.look} large={props.large} icon={done() ? Check : Copy} onClick={copy}>
      <Show when={done()} fallback={props.label}>
        <span role="status">{messages.common.copied}</span>
      </Show>
    </Button>
  );
}

/** Command shows a terminal command with a copy button. */
export function Command(props: { text: string; label?: string }) {
  return (
    <div class="cmd">
      <span class="mono sel grow trunc">{props.text}</span>
      <CopyIcon text={props.text} label={props.label ?? messages.common.copyCommand} />
    </div>
  );
}
