// Strings for plans that a model presents for approval.

import { count } from "../lib/format";

const steps = (n: number) => `${count(n)} ${n === 1 ? "step" : "steps"}`;

export const plan = {
  label: (title: string) => `Plan: ${title}`,
  title: (who: string) => `${who}'s plan`,
  steps,
  writtenBy: (who: string) => `written by ${who}`,
  list: "Steps",
  step: (n: number) => `Step ${count(n)}`,
  text: "Plan text",
  editStep: (n: number) => `Edit step ${count(n)}`,
  removeStep: (n: number) => `Remove step ${count(n)}`,
  commentStep: (n: number) => `Comment on step ${count(n)}`,
  editText: "Edit this text",
  removeText: "Remove this text",
  commentText: "Comment on this text",
  comment: "Comment",
  removeComment: "Remove comment",
  addStep: "Add a step",
  newStep: "New step",
  undo: "Undo",
  asText: "Edit as text",
  asSteps: "Show as steps",
  tooLong: "This plan is too long to show step by step.",
  whole: "Plan in Markdown",
  save: "Save as a file…",
  copy: "Copy plan",
  approve: "Approve",
  approveEdits: "Approve and allow edits",
  change: "Ask for changes…",
  changeLabel: "What should change?",
  send: "Send",
  cancel: "Cancel",
  /** Shown below the buttons. Names the chat's folder. */
  scope: (folder: string) =>
    `“Approve” starts the work, and you'll still be asked before each edit. “Approve and allow edits” also allows edits to files in ${folder} until this answer ends, but not deletions, commands or edits to protected files.`,
  /** Shown instead of `scope` if edits are allowed anyway. */
  scopeAllowed: "“Approve” starts the work. Your permission setting for this chat stays as it is.",
  commentsToo: (n: number) =>
    `${count(n)} ${n === 1 ? "comment" : "comments"} will be sent with your answer.`,
  announce: (who: string, n: number) => (n > 0 ? `${who} has a plan with ${steps(n)}` : `${who} has a plan`),
  ready: "Plan ready to approve",
  /** As part of a sentence such as "Copilot wants to …". */
  toApprove: (title: string) => (title ? `get a plan approved: ${title}` : "get a plan approved"),
  closed: "This plan was closed before you answered, so it wasn't approved. You can send it in a message.",
  away: "You didn't answer in time, so this plan was closed. You can send it in a message.",
  lost: "The turn was interrupted, so your answer might not have arrived. You can send the plan in a message.",
  inMessage: "Send in a message",
  /** A message with a closed plan. */
  message: (text: string) => `Carry out this plan:\n\n${text}`,
  /** Marks a step of an answered plan that the user added or changed. */
  yours: "yours",
  saved: "Plan saved",
  notSaved: "Couldn't save the plan",
} as const;
