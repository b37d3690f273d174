import User from "lucide-solid/icons/user";
import { createEffect, createSignal, on, Show } from "solid-js";
import type { Account } from "../../state/types";
import { Icon } from "../ui/Icon";
import { initials } from "./accountName";
import "./account.css";

/**
 * Avatar shows the user's picture as provided by the app, the user's initials if there is no picture, or
 * a generic icon if the user is unknown.
 */
export function Avatar(props: { account: Account; large?: boolean }) {
  const [broken, setBroken] = createSignal(false);
  createEffect(
    on(
      () => props.account.avatar,
      () => setBroken(false),
    ),
  );
  const picture = () => (broken() ? "" : (props.account.avatar ?? ""));
  const letters = () => initials(props.account.login ?? "");
  return (
    <span class="avatar" classList={{ large: props.large, nobody: letters() === "" }} aria-hidden="true">
      <Show
        when={picture()}
        fallback={
          <Show when={letters()} fallback={<Icon of={User} size="sm" />}>
            {letters()}
          </Show>
        }
      >
        {(version) => (
          <img
            src={`/data/avatar?v=${encodeURIComponent(version())}`}
            alt=""
            draggable={false}
            onError={() => setBroken(true)}
          />
        )}
      </Show>
    </span>
  );
}
