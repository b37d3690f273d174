// Shared helpers for the tests of permission requests.

import type { Option, Permission } from "../../state/types";

export const option = (kind: string, id = kind, name = kind): Option => ({
  id,
  kind: kind as Option["kind"],
  name,
});

export function request(more: Partial<Permission> = {}): Permission {
  return {
    id: "p",
    chatId: "c",
    session: "main",
    state: "open",
    title: "Edit a.go",
    kind: "edit",
    path: "/code/orbit/a.go",
    options: [option("allow_once"), option("allow_always"), option("reject_once", "reject_once", "Deny")],
    scope: { kind: "edits", folder: "/code/orbit" },
    createdAt: 1,
    ...more,
  };
}
