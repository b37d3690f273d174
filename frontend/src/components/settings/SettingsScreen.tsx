import ArrowLeft from "lucide-solid/icons/arrow-left";
import Box from "lucide-solid/icons/box";
import Contrast from "lucide-solid/icons/contrast";
import Cpu from "lucide-solid/icons/cpu";
import Info from "lucide-solid/icons/info";
import Keyboard from "lucide-solid/icons/keyboard";
import Monitor from "lucide-solid/icons/monitor";
import Server from "lucide-solid/icons/server";
import Shield from "lucide-solid/icons/shield";
import Stethoscope from "lucide-solid/icons/stethoscope";
import User from "lucide-solid/icons/user";
import { createEffect, For, Match, on, onCleanup, onMount, Switch } from "solid-js";
import { messages } from "../../i18n";
import { areKeys, isComposing } from "../../state/keys";
import { go, leaveSettings, onLeavingSettings, type SettingsPage, screen } from "../../state/screen";
import { answerDiscard, confirmDiscard, openForm, pendingDiscard } from "../../state/unsavedChanges";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Icon } from "../ui/Icon";
import { About } from "./About";
import { Account } from "./Account";
import { Agent } from "./Agent";
import { Appearance } from "./Appearance";
import { Desktop } from "./Desktop";
import { Doctor } from "./Doctor";
import { highlightWantedRow } from "./highlightedRow";
import { Model } from "./Model";
import { Permissions } from "./Permissions";
import { Sandbox } from "./Sandbox";
import { SettingsSearch } from "./SettingsSearch";
import { Shortcuts } from "./Shortcuts";
import "./settings.css";

const t = messages.settings;

const pages: { id: SettingsPage; icon: typeof Cpu }[] = [
  { id: "account", icon: User },
  { id: "agent", icon: Cpu },
  { id: "model", icon: Server },
  { id: "permissions", icon: Shield },
  { id: "sandbox", icon: Box },
  { id: "appearance", icon: Contrast },
  { id: "desktop", icon: Monitor },
  { id: "shortcuts", icon: Keyboard },
  { id: "doctor", icon: Stethoscope },
  { id: "about", icon: Info },
];

const isSearchField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === "search";

/**
 * SettingsScreen shows a page of the settings and the list of pages, in the whole window. Escape returns
 * to the previous screen, but open popups and edited fields handle Escape first. Unsaved changes are
 * never discarded without confirmation.
 */
export function SettingsScreen() {
  let nav!: HTMLElement;
  let main!: HTMLElement;
  let title!: HTMLHeadingElement;
  let search!: HTMLInputElement;
  // The focused element was removed with the previous screen.
  onMount(() => title.focus({ preventScroll: true }));
  const page = (): SettingsPage => {
    const now = screen();
    return now.name === "settings" ? now.page : "account";
  };
  /** The field being edited, unless it is part of a form. Its text is saved when it loses the focus. */
  let typedIn: EventTarget | null = null;
  onCleanup(() => answerDiscard(false));
  onCleanup(
    onLeavingSettings((then) => {
      if (typedIn !== null && document.activeElement === typedIn) title.focus({ preventScroll: true });
      confirmDiscard(then);
    }),
  );
  const giveUp = (target: EventTarget | null) => {
    if (isSearchField(target) && target.value !== "") {
      target.value = "";
      target.dispatchEvent(new InputEvent("input", { bubbles: true }));
      return;
    }
    const form = openForm();
    if (form?.close) return confirmDiscard(form.close);
    if (target !== null && target === typedIn) {
      title.focus({ preventScroll: true });
      return;
    }
    leaveSettings();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (areKeys(["Mod", "F"], event) && !event.defaultPrevented && !document.querySelector(".dialog, .pal")) {
      event.preventDefault();
      search.focus();
      search.select();
      return;
    }
    if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
    if (document.querySelector(".dialog, .pop:not(.set-found)")) return;
    event.preventDefault();
    giveUp(event.target);
  };
  window.addEventListener("keydown", onKeyDown);
  onCleanup(() => window.removeEventListener("keydown", onKeyDown));
  onMount(() => {
    main.addEventListener("input", (event) => {
      typedIn = (event.target as HTMLElement).closest("form, [type=search], [role=combobox]")
        ? null
        : event.target;
    });
    main.addEventListener("change", () => {
      typedIn = null;
    });
  });
  createEffect(on(page, () => main.scrollTo(0, 0), { defer: true }));
  highlightWantedRow(
    () => main,
    () => title,
  );
  // In a narrow window, the list of pages is a scrollable bar.
  createEffect(
    on(page, () =>
      nav.querySelector("[aria-current]")?.scrollIntoView?.({ block: "nearest", inline: "nearest" }),
    ),
  );
  return (
    <div class="set">
      <nav ref={nav} aria-label={t.title}>
        <div class="bar">
          <Button
            class="set-back"
            look="ghost"
            icon={ArrowLeft}
            aria-label={t.back}
            aria-keyshortcuts="Escape"
            onClick={leaveSettings}
          >
            <span>{t.back}</span>
          </Button>
        </div>
        <For each={pages}>
          {(each) => (
            <a
              href={`./#settings/${each.id}`}
              aria-current={each.id === page() ? "page" : undefined}
              draggable={false}
              onClick={(event) => {
                event.preventDefault();
                go({ name: "settings", page: each.id });
              }}
            >
              <Icon of={each.icon} />
              {t.pages[each.id]}
            </a>
          )}
        </For>
      </nav>
      <main ref={main} aria-labelledby="set-t">
        <div class="col">
          <div class="set-head">
            <h1 ref={title} id="set-t" tabindex="-1">
              {t.pages[page()]}
            </h1>
            <SettingsSearch
              ref={(field) => {
                search = field;
              }}
            />
          </div>
          <Switch>
            <Match when={page() === "account"}>
              <Account />
            </Match>
            <Match when={page() === "agent"}>
              <Agent />
            </Match>
            <Match when={page() === "model"}>
              <Model />
            </Match>
            <Match when={page() === "permissions"}>
              <Permissions />
            </Match>
            <Match when={page() === "sandbox"}>
              <Sandbox />
            </Match>
            <Match when={page() === "appearance"}>
              <Appearance />
            </Match>
            <Match when={page() === "desktop"}>
              <Desktop />
            </Match>
            <Match when={page() === "shortcuts"}>
              <Shortcuts />
            </Match>
            <Match when={page() === "doctor"}>
              <Doctor />
            </Match>
            <Match when={page() === "about"}>
              <About />
            </Match>
          </Switch>
        </div>
      </main>
      <ConfirmDialog
        open={pendingDiscard() !== undefined}
        title={t.unsaved.title}
        body={t.unsaved.body}
        confirm={t.unsaved.confirm}
        cancel={t.unsaved.keep}
        onConfirm={() => {
          answerDiscard(true);
          // The closed dialog had the focus.
          queueMicrotask(() => {
            if (title.isConnected && document.activeElement === document.body)
              title.focus({ preventScroll: true });
          });
        }}
        onClose={() => answerDiscard(false)}
      />
    </div>
  );
}
