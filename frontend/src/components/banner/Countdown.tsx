import { createMemo } from "solid-js";
import { messages } from "../../i18n";
import { createNow } from "../../lib/clock";

export interface CountdownProps {
  /** End time in Unix milliseconds. */
  at: number;
  /** Formats the remaining time; returns "" if the sentence doesn't contain it. */
  clock: (seconds: number) => string;
  /** Returns the sentence that contains the remaining time. */
  text: (left: string) => string;
}

/**
 * Countdown is a sentence that counts down to a time. Screen readers announce the remaining
 * minutes, not the clock.
 */
export function Countdown(props: CountdownProps) {
  const now = createNow();
  const seconds = createMemo(() => Math.max(0, Math.ceil((props.at - now()) / 1000)));
  const announced = createMemo(() =>
    props.clock(seconds()) === "" ? "" : messages.units.ariaDuration(Math.max(1, Math.ceil(seconds() / 60))),
  );
  return (
    <>
      <span class="num" aria-hidden="true">
        {props.text(props.clock(seconds()))}
      </span>
      <span class="sr">{props.text(announced())}</span>
    </>
  );
}
