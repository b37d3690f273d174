// State of the list of other programs' conversations. It outlives the screen that shows it.

import { batch, createMemo, createRoot, createSignal } from "solid-js";
import { toAppError } from "../bridge";
import { actions } from "./actions";
import type { OtherConversation, OtherProgram, OtherProgramName } from "./types";

const [all, setAll] = createSignal<readonly OtherConversation[]>();
/** The programs that have conversations, with their names. */
const [programs, setPrograms] = createSignal<readonly OtherProgramName[]>([]);
/** Reason why some conversations may be missing, from the app. */
const [gap, setGap] = createSignal("");
const [failure, setFailure] = createSignal("");
/** The chosen program; "" is the Copilot CLI, whose sessions have their own list. */
const [program, setProgram] = createSignal<OtherProgram | "">("");
const [text, setText] = createSignal("");

export { failure, gap, program, programs, setText as searchConversations, text };

/** wordsOf returns the words of a query, in lower case. */
const wordsOf = (query: string) => query.toLocaleLowerCase().split(/\s+/).filter(Boolean);

/** matchesQuery reports whether each word of a query is in a conversation's title or folder. */
export function matchesQuery(conversation: OtherConversation, query: string): boolean {
  const searched = `${conversation.title ?? ""}\n${conversation.folder ?? ""}`.toLocaleLowerCase();
  return wordsOf(query).every((word) => searched.includes(word));
}

/** conversations returns the chosen program's conversations that match the text, newest first; undefined while loading. */
export const conversations = createRoot(() =>
  createMemo(() => all()?.filter((one) => one.program === program() && matchesQuery(one, text()))),
);

let requestCount = 0;

/** loadConversations requests the list. */
export async function loadConversations(): Promise<void> {
  const mine = ++requestCount;
  try {
    const answer = await actions.otherConversations();
    if (mine !== requestCount) return;
    batch(() => {
      setAll(answer.conversations);
      setPrograms(answer.programs);
      setGap(answer.failure ?? "");
      setFailure("");
      if (!answer.programs.some((one) => one.program === program())) setProgram("");
    });
  } catch (thrown) {
    if (mine === requestCount) setFailure(toAppError(thrown).message);
  }
}

/** chooseProgram chooses the program whose conversations are listed. */
export function chooseProgram(to: OtherProgram | ""): void {
  setProgram(to);
  if (to !== "") void loadConversations();
}
