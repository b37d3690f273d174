import { createMemo } from "solid-js";
import { words } from "../../i18n";
import { createNow } from "../../lib/clock";

export interface CountdownProps {
  /** When it is over. */
  at: number;
  /** How the time that is left is written; "" where the sentence does without it. */
  clock: (seconds: number) => string;
  /** The sentence with the time in it. */
  says: (left: string) => string;
}

/**
 * Countdown is a sentence that counts down. Its clock is for the eyes; who
 * listens hears the minutes.
 */
export function Countdown(props: CountdownProps) {
  const now = createNow();
  const seconds = createMemo(() => Math.max(0, Math.ceil((props.at - now()) / 1000)));
  const heard = createMemo(() =>
    props.clock(seconds()) === "" ? "" : words.units.heard(Math.max(1, Math.ceil(seconds() / 60))),
  );
  return (
    <>
      <span class="num" aria-hidden="true">
        {props.says(props.clock(seconds()))}
      </span>
      <span class="sr">{props.says(heard())}</span>
    </>
  );
}
