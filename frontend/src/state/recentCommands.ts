// The slash commands that the user sent last, in any chat. They belong to the window, so the window
// stores them.

const key = "voxpilot.commands";
const maxCommands = 20;

/** recentCommands returns the commands' names, most recent first. */
export function recentCommands(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** noteCommand records the slash command that a message starts with, if any. */
export function noteCommand(message: string): void {
  const name = /^\/(\S+)/.exec(message)?.[1];
  if (!name) return;
  const names = [name, ...recentCommands().filter((known) => known !== name)].slice(0, maxCommands);
  try {
    localStorage.setItem(key, JSON.stringify(names));
  } catch {
    // Without storage, commands keep the agent's order.
  }
}
