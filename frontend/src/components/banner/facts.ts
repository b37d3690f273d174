// Session and agent details for banners of the transcript.

import { words } from "../../i18n";
import { seen } from "../../lib/format";
import { type Banner as Facts, type Item, SessionMain } from "../../state/types";

export interface PartProps {
  item: Item;
  banner: Facts;
}

/** The agent's message, with invisible characters named. */
export const detailOf = (banner: Facts) => seen(banner.detail ?? "", "prose");

export const session = (banner: Facts) => banner.session || SessionMain;

/** nameOf returns the name of a banner's session, or "" for the main session. */
export const nameOf = (banner: Facts) => (session(banner) === SessionMain ? "" : seen(session(banner)));

/** calledOf returns the name of an agent, with the session for a delegated task. */
export const calledOf = (agent: string, banner: Facts) =>
  nameOf(banner) === "" ? agent : words.chat.work.label(agent, nameOf(banner));
