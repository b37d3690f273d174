import { createSignal } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import "./firstrun.css";

const t = messages.firstRun.cli;

export interface CheckAgainProps {
  look?: "primary";
  large?: boolean;
  onFailure: (why: string) => void;
  /** Called in addition to the check when the button is clicked. */
  onCheck?: () => void;
}

/** CheckAgain detects the Copilot CLI again and announces the result even if it is unchanged. */
export function CheckAgain(props: CheckAgainProps) {
  const state = useStore();
  const last = () => state.cli.lookedAt ?? 0;
  const [requestedAt, setRequestedAt] = createSignal<number>();
  const isOver = () => {
    const before = requestedAt();
    return before !== undefined && last() > before && !state.cli.looking;
  };
  const isBusy = () => state.cli.looking === true || (requestedAt() !== undefined && !isOver());
  const look = () => {
    if (isBusy()) return;
    props.onFailure("");
    setRequestedAt(last());
    actions.checkCLI().catch((thrown) => {
      setRequestedAt(undefined);
      props.onFailure(thrown.message);
    });
    props.onCheck?.();
  };
  return (
    <>
      {/* The button isn't disabled while it is busy, because a disabled button would lose the focus. */}
      <Button large={props.large} look={props.look} aria-disabled={isBusy()} onClick={look}>
        {isBusy() ? t.checkingAgain : messages.common.checkAgain}
      </Button>
      <span class="subtle check-status" role="status">
        {isOver() ? t.checkedAgain[state.cli.state] : ""}
      </span>
    </>
  );
}
