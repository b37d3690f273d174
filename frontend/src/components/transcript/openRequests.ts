// Open permission requests for tool calls. A list computes the requests once for all its rows; each row
// tracks only its own call.

import { createMemo, createSelector } from "solid-js";
import { select } from "../../state/select";
import { useStore } from "../../state/store";

/**
 * createOpenRequests returns a function that reports whether a call has an open permission request. If `butFirst` is
 * set, the chat's oldest open request doesn't count.
 */
export function createOpenRequests(chatId: () => string, options: { butFirst?: boolean } = {}) {
  const state = useStore();
  const asks = createMemo(() => {
    const all = select.openPermissions(state, chatId());
    const first = options.butFirst ? all[0]?.itemId : undefined;
    return new Set(all.map(({ itemId }) => itemId).filter((id) => id && id !== first));
  });
  return createSelector(asks, (id: string, all) => all.has(id));
}
