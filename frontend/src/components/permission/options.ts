// Which buttons a request has: options are chosen by their kind and answered
// by their id, since an agent may call them anything.

import { words } from "../../i18n";
import { seen } from "../../lib/visibleText";
import type { Option, Permission } from "../../state/types";

/** A button of the card. */
export interface Answer {
  label: string;
  optionId: string;
  /** Stores the request's scope as a rule of ours. */
  always: boolean;
  place: "allow" | "reject";
  role: "once" | "always" | "reject" | "other";
}

/**
 * canAlways says whether a rule can be made of a request: not of one about several
 * files, which takes files away, or which can do harm.
 */
function canAlways(ask: Permission): boolean {
  const harm = !!ask.marks?.length || ask.kind === "delete" || ask.kind === "move";
  return !!ask.scope && !ask.files?.length && !harm;
}

/** onlyAlways says whether an agent offers nothing that allows but its own "always". */
export function onlyAlways(ask: Permission): boolean {
  const offers = (kind: string) => ask.options.some((option) => option.kind === kind);
  return offers("allow_always") && !offers("allow_once");
}

/**
 * answersOf are the buttons for a request. "Always allow" allows once and
 * stores a rule of VoxPilot's, which can be shown and taken back; the agent's
 * own "always" cannot, so it is offered only where nothing else allows.
 */
export function answersOf(ask: Permission): Answer[] {
  const of = (kind: string) => ask.options.filter((option) => option.kind === kind);
  const named = (option: Option, place: Answer["place"]): Answer => ({
    label: seen(option.name),
    optionId: option.id,
    always: false,
    place,
    role: "other",
  });
  const answers: Answer[] = [];
  const [once, ...moreOnce] = of("allow_once");
  if (once) {
    answers.push({
      label: words.chat.ask.allowOnce,
      optionId: once.id,
      always: false,
      place: "allow",
      role: "once",
    });
    if (canAlways(ask)) {
      answers.push({
        label: words.chat.ask.alwaysAllow,
        optionId: once.id,
        always: true,
        place: "allow",
        role: "always",
      });
    }
  }
  answers.push(...moreOnce.map((option) => named(option, "allow")));
  if (onlyAlways(ask)) {
    const [always] = of("allow_always");
    answers.push({
      label: words.card.allowFromNowOn,
      optionId: always?.id ?? "",
      always: false,
      place: "allow",
      role: "other",
    });
  }
  const known = ["allow_once", "allow_always", "reject_once", "reject_always"];
  const unknown = ask.options.filter((option) => !known.includes(option.kind));
  answers.push(...unknown.map((option) => named(option, "allow")));
  const [reject, ...moreReject] = of("reject_once");
  // An agent that offers no way to reject gets the answer "cancelled".
  answers.push({
    label: words.chat.ask.reject,
    optionId: reject?.id ?? "",
    always: false,
    place: "reject",
    role: "reject",
  });
  answers.push(...moreReject.map((option) => named(option, "reject")));
  const [never, ...moreNever] = of("reject_always");
  if (never) {
    answers.push({
      label: words.chat.ask.alwaysReject,
      optionId: never.id,
      always: false,
      place: "reject",
      role: "other",
    });
  }
  answers.push(...moreNever.map((option) => named(option, "reject")));
  return answers;
}
