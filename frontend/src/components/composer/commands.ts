// Slash commands of the agent, as the composer's list offers them.

import type { Choice } from "../../state/words";

/**
 * matching are the commands for what is typed; undefined where the text is no
 * command any more. Names that begin with it come before those that hold it.
 */
export function matching(commands: Choice[], text: string): Choice[] | undefined {
  const typed = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined || commands.length === 0) return undefined;
  const begins = commands.filter((command) => command.id.toLowerCase().startsWith(typed));
  const holds = commands.filter(
    (command) => !begins.includes(command) && command.id.toLowerCase().includes(typed),
  );
  return [...begins, ...holds];
}
