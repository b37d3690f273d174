// The layout of all banners, and of the single line that replaces a banner once there is nothing left to do.

import type { LucideIcon } from "lucide-solid";
import X from "lucide-solid/icons/x";
import { type JSX, Show } from "solid-js";
import { messages } from "../../i18n";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import "./banner.css";

export interface BannerProps {
  tone: "ok" | "attn" | "bad" | "info";
  label: string;
  icon: LucideIcon;
  /** Whether the icon spins, for example while an attempt is in progress. */
  spins?: boolean;
  strong?: string;
  children?: JSX.Element;
  /** Content between the text and the buttons. */
  more?: JSX.Element;
  actions?: JSX.Element;
  onDismiss?: () => void;
}

/** Banner shows an icon, a text and buttons. Only the tones "attn" and "bad" are announced as alerts. */
export function Banner(props: BannerProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both possible roles allow a label.
    <div
      class="banner"
      data-tone={props.tone}
      role={props.tone === "ok" || props.tone === "info" ? "status" : "alert"}
      aria-label={props.label}
      tabIndex={-1}
    >
      <Icon of={props.icon} class={props.spins ? "spin" : ""} />
      <div>
        <Show when={props.strong}>
          <strong>{props.strong}</strong>{" "}
        </Show>
        <span classList={{ b: !!props.strong }}>{props.children}</span>
      </div>
      <Show when={props.onDismiss} fallback={<span />}>
        {(dismiss) => <IconButton small icon={X} label={messages.chat.dismiss} onClick={() => dismiss()()} />}
      </Show>
      {props.more}
      <Show when={props.actions}>
        <div class="acts">{props.actions}</div>
      </Show>
    </div>
  );
}

/** Rule is a single line for a minor event, or for a banner that needs no further action from the user. */
export function Rule(props: { icon: LucideIcon; label: string; children: JSX.Element }) {
  return (
    <div class="rule" role="status" aria-label={props.label}>
      <Icon of={props.icon} />
      <span>{props.children}</span>
    </div>
  );
}
