// The body of a card that asks whether a command in the sandbox may reach a site.

import { Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { namedSites, sitesOf } from "../../state/sandbox";
import { useStore } from "../../state/store";
import type { Permission } from "../../state/types";
import { VisibleText } from "../transcript/VisibleText";
import "./permission.css";

const t = messages.sandbox.card;

/** Site shows the command, the site, and the sites that the chat's commands may reach. */
export function Site(props: { request: Permission }) {
  const state = useStore();
  const command = () => state.items[props.request.itemId ?? ""]?.tool?.command;
  const allowed = () => {
    const sites = sitesOf(state, state.chats[props.request.chatId]?.sandbox ?? {});
    const { names, more } = namedSites(sites.map((site) => visibleText(site)));
    return t.allowedSites(names, more);
  };
  return (
    <div class="prev">
      <Show when={command()}>
        {(line) => (
          <section class="out command sel" aria-label={messages.chat.request.command} tabindex="0">
            <span class="a-dim">$ </span>
            <VisibleText text={line()} />
          </section>
        )}
      </Show>
      <dl class="site">
        <dt>{t.site}</dt>
        <dd>
          <span class="mono sel">{visibleText(props.request.command ?? "")}</span>
        </dd>
        <dt>{t.allowed}</dt>
        <dd>{allowed()}</dd>
      </dl>
    </div>
  );
}
