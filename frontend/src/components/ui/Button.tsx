import type { LucideIcon } from "lucide-solid";
import { type JSX, Show, splitProps } from "solid-js";
import { Icon } from "./Icon";
import "./button.css";

type Native = JSX.ButtonHTMLAttributes<HTMLButtonElement>;

export interface ButtonProps extends Native {
  /** "primary" is filled (one per screen); "ghost" has no border. */
  look?: "primary" | "ghost";
  /**
   * Whether the button is 32 px high instead of 28. Used in dialogs, settings, the first run and the
   * permission card.
   */
  large?: boolean;
  icon?: LucideIcon;
}

/** Button is a button with a visible label. Its type defaults to "button". */
export function Button(props: ButtonProps) {
  const [own, rest] = splitProps(props, ["look", "large", "icon", "class", "children"]);
  return (
    <button
      type="button"
      {...rest}
      class={["btn", own.look, own.large ? "lg" : "", own.class].filter(Boolean).join(" ")}
    >
      <Show when={own.icon}>{(icon) => <Icon of={icon()} size="sm" />}</Show>
      {own.children}
    </button>
  );
}

export interface IconButtonProps extends Native {
  icon: LucideIcon;
  /** The accessible name, and the tooltip. */
  label: string;
  small?: boolean;
}

/** IconButton is a button that shows only an icon. */
export function IconButton(props: IconButtonProps) {
  const [own, rest] = splitProps(props, ["icon", "label", "small", "class"]);
  return (
    <button
      type="button"
      title={own.label}
      {...rest}
      aria-label={own.label}
      class={["ib", own.small ? "sm" : "", own.class].filter(Boolean).join(" ")}
    >
      <Icon of={own.icon} size={own.small ? "sm" : undefined} />
    </button>
  );
}
