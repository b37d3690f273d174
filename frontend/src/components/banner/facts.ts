// Session and agent details for the transcript's banners.

import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { type Banner as Facts, type Item, SessionMain } from "../../state/types";

export interface PartProps {
  item: Item;
  banner: Facts;
}

/**
 * detailOf returns a banner's detail, usually a message from the agent, with invisible characters shown
 * by name.
 */
export const detailOf = (banner: Facts) => visibleText(banner.detail ?? "", "prose");

/**
 * detailSentence returns a banner's detail as a sentence. Details stored by older versions have no full
 * stop.
 */
export const detailSentence = (banner: Facts) => detailOf(banner).replace(/[^.!?。！？]$/, "$&.");

export const session = (banner: Facts) => banner.session || SessionMain;

/** sessionName returns the name of a banner's session, or "" for the main session. */
export const sessionName = (banner: Facts) =>
  session(banner) === SessionMain ? "" : visibleText(session(banner));

/** agentLabel returns the name of an agent, followed by the session if it isn't the main one. */
export const agentLabel = (agent: string, banner: Facts) =>
  sessionName(banner) === "" ? agent : messages.chat.work.label(agent, sessionName(banner));
