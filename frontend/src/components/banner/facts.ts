// What banners of the transcript say of their session and their agent.

import { words } from "../../i18n";
import { seen } from "../../lib/format";
import { type Banner as Facts, type Item, SessionMain } from "../../state/types";

export interface PartProps {
  item: Item;
  banner: Facts;
}

/** What the agent said of it, in which nothing hides. */
export const detailOf = (banner: Facts) => seen(banner.detail ?? "", "prose");

export const session = (banner: Facts) => banner.session || SessionMain;

/** nameOf is the name of a banner's session; "" for the chat's own, which bears none. */
export const nameOf = (banner: Facts) => (session(banner) === SessionMain ? "" : seen(session(banner)));

/** calledOf is an agent in a session: work was given to it by name, or it answers the chat itself. */
export const calledOf = (agent: string, banner: Facts) =>
  nameOf(banner) === "" ? agent : words.chat.work.label(agent, nameOf(banner));
