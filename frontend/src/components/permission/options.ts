// The buttons of a request. Options are matched by kind and answered by ID, because agents may choose any
// names for them.

import { messages } from "../../i18n";
import { visibleText } from "../../lib/visibleText";
import type { Option, Permission } from "../../state/types";

/** A button of the card. */
export interface CardButton {
  label: string;
  optionId: string;
  /** Whether clicking the button also stores the request's scope as a VoxPilot rule. */
  always: boolean;
  /**
   * The side of the footer with the button: "allow" is left, "reject" is right. It doesn't determine the button's
   * function.
   */
  place: "allow" | "reject";
  /** The button's function: "reject" asks for a reason first, "keep" rejects immediately. */
  role: "once" | "always" | "reject" | "keep" | "other";
}

/**
 * canMakeRule reports whether a rule can be created from a request. The request must have a scope. It must
 * not affect several files, delete or move files, or contain a command with dangerous parts.
 */
function canMakeRule(request: Permission): boolean {
  const harm = !!request.marks?.length || request.kind === "delete" || request.kind === "move";
  return !!request.scope && !request.files?.length && !harm;
}

/**
 * hasOnlyAgentAlways reports whether a request can't be allowed just once: the agent offers only an
 * option that also allows similar requests in the future.
 */
export function hasOnlyAgentAlways(request: Permission): boolean {
  const offers = (kind: string) => request.options.some((option) => option.kind === kind);
  return offers("allow_always") && !offers("allow_once");
}

/** leavesSandbox reports whether allowing a request gives a command more access than the sandbox does. */
export function leavesSandbox(request: Permission): boolean {
  return request.sandbox === "leaves" || request.sandbox === "site";
}

/**
 * sandboxButtons returns the buttons of a request that would give a command more access than the sandbox
 * does. The first button rejects the request, and the button that allows it has no shortcut.
 */
function sandboxButtons(request: Permission): CardButton[] {
  const t = messages.sandbox.card;
  const idOf = (kind: string) => request.options.find((option) => option.kind === kind)?.id ?? "";
  const isSite = request.sandbox === "site";
  return [
    {
      label: isSite ? t.keep : messages.chat.request.reject,
      optionId: idOf("reject_once"),
      always: false,
      place: "allow",
      role: "keep",
    },
    {
      label: isSite ? t.allowSite : t.allowOutside,
      optionId: idOf("allow_once"),
      always: false,
      place: "reject",
      role: "other",
    },
  ];
}

/**
 * buttonsOf returns the buttons for a request. "Always allow" allows this request and stores a VoxPilot rule, which the
 * user can see and delete. The agent's own "allow always" option creates no such rule, so it is shown only if there is
 * no other way to allow the request.
 */
export function buttonsOf(request: Permission): CardButton[] {
  if (leavesSandbox(request)) return sandboxButtons(request);
  const of = (kind: string) => request.options.filter((option) => option.kind === kind);
  const named = (option: Option, place: CardButton["place"]): CardButton => ({
    label: visibleText(option.name),
    optionId: option.id,
    always: false,
    place,
    role: "other",
  });
  const answers: CardButton[] = [];
  const [once, ...moreOnce] = of("allow_once");
  if (once) {
    answers.push({
      label: messages.chat.request.allowOnce,
      optionId: once.id,
      always: false,
      place: "allow",
      role: "once",
    });
    if (canMakeRule(request)) {
      answers.push({
        label: messages.chat.request.alwaysAllow,
        optionId: once.id,
        always: true,
        place: "allow",
        role: "always",
      });
    }
  }
  answers.push(...moreOnce.map((option) => named(option, "allow")));
  if (hasOnlyAgentAlways(request)) {
    const [always] = of("allow_always");
    answers.push({
      label: messages.card.allowFromNowOn,
      optionId: always?.id ?? "",
      always: false,
      place: "allow",
      role: "other",
    });
  }
  const known = ["allow_once", "allow_always", "reject_once", "reject_always"];
  const unknown = request.options.filter((option) => !known.includes(option.kind));
  answers.push(...unknown.map((option) => named(option, "allow")));
  const [reject, ...moreReject] = of("reject_once");
  // If the agent offers no reject option, it receives the outcome "cancelled".
  answers.push({
    label: messages.chat.request.reject,
    optionId: reject?.id ?? "",
    always: false,
    place: "reject",
    role: "reject",
  });
  answers.push(...moreReject.map((option) => named(option, "reject")));
  const [never, ...moreNever] = of("reject_always");
  if (never) {
    answers.push({
      label: messages.chat.request.alwaysReject,
      optionId: never.id,
      always: false,
      place: "reject",
      role: "other",
    });
  }
  answers.push(...moreNever.map((option) => named(option, "reject")));
  return answers;
}
