// Which commands the user sent last, in any chat. It is the window's own
// business, so it is kept there.

const key = "voxpilot.commands";
const most = 20;

/** recentCommands are their names, the last one first. */
export function recentCommands(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** noteCommand keeps the command that a message begins with, where it begins with one. */
export function noteCommand(message: string): void {
  const name = /^\/(\S+)/.exec(message)?.[1];
  if (!name) return;
  const names = [name, ...recentCommands().filter((known) => known !== name)].slice(0, most);
  try {
    localStorage.setItem(key, JSON.stringify(names));
  } catch {
    // Without storage the commands keep the agent's order.
  }
}
