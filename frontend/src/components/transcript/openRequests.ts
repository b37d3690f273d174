// Which calls wait for the user. A list of calls looks through the requests once;
// each of its rows hears only of its own.

import { createMemo, createSelector } from "solid-js";
import { select } from "../../state/select";
import { useStore } from "../../state/store";

/** createAsks returns whether a call of a chat has an open request; the first one may be left out. */
export function createAsks(chatId: () => string, options: { butFirst?: boolean } = {}) {
  const state = useStore();
  const asks = createMemo(() => {
    const all = select.openPermissions(state, chatId());
    const first = options.butFirst ? all[0]?.itemId : undefined;
    return new Set(all.map(({ itemId }) => itemId).filter((id) => id && id !== first));
  });
  return createSelector(asks, (id: string, all) => all.has(id));
}
