// Strings for questions to the user.

import { count } from "../lib/format";

export const question = {
  label: (text: string) => `Question: ${text}`,
  form: (text: string) => `Form: ${text}`,
  page: (text: string) => `Web page: ${text}`,
  askedBy: (who: string) => `Asked by ${who}`,
  suggested: "Suggested",
  answers: "Answer",
  several: "You can choose more than one.",
  other: "Something else…",
  ownAnswer: "Your own answer",
  yourAnswer: "Your answer",
  answer: "Answer",
  send: "Send answers",
  skip: "Skip",
  confirm: "Confirm",
  decline: "Decline",
  address: "Web address",
  openPage: "Open in browser",
  copyAddress: "Copy address",
  openAgain: "Open again",
  /** Shown below the buttons of a web page. Names its host. */
  onHost: (host: string) => `You enter passwords on ${host}, not here. VoxPilot doesn't see them.`,
  odd: "This address isn't what it looks like",
  /** The agent's reason to open a web page with a suspicious address. */
  reason: (who: string, text: string) => `${who} says: ${text}`,
  neverOpens: "VoxPilot doesn't open such addresses.",
  openAnyway: "Open anyway…",
  /** Asks once more before a suspicious address is opened. Names its host. */
  sure: (host: string) => `Open ${host} anyway? Do so only if you know this site.`,
  cancel: "Cancel",
  optional: "optional",
  choose: "Choose…",
  range: (min: string, max: string) => {
    if (min !== "" && max !== "") return `${min} to ${max}`;
    return min !== "" ? `${min} or more` : `${max} or less`;
  },
  /** Shown below the buttons of a form. Names the reader of the answers. */
  never: (who: string) => `These answers are sent to ${who} as entered. Never type a password here.`,
  previous: "Previous question",
  next: "Next question",
  step: (n: number, of: number) => `${count(n)} of ${count(of)}`,
  announce: (who: string, text: string) => `${who} asks: ${text}`,
  asks: (text: string) => `Asks: ${text}`,
  /** The question, as part of a sentence such as "Copilot wants to …". */
  toAsk: (text: string) => `ask: ${text}`,
  closed: "This question was closed before you answered. You can still answer it in a message.",
  away: "You didn't answer in time, so this question was closed. You can still answer it in a message.",
  lost: "The turn was interrupted, so your answer might not have arrived. You can send it in a message.",
  inMessage: "Answer in a message",
  /** The start of a message that answers a closed question. */
  message: (text: string, answer: string) => `You asked: ${text}\nMy answer: ${answer}`,
  nothing: "not filled in",
  yes: "Yes",
  no: "No",
} as const;
