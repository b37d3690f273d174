import KeyRound from "lucide-solid/icons/key-round";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import LogOut from "lucide-solid/icons/log-out";
import RefreshCw from "lucide-solid/icons/refresh-cw";
import User from "lucide-solid/icons/user";
import { Show } from "solid-js";
import { words } from "../../i18n";
import { nowFor } from "../../lib/coarseClock";
import { needOf } from "../../state/account";
import { actions } from "../../state/actions";
import { askSignOut, openSignIn } from "../../state/dialogs";
import { go } from "../../state/screen";
import { useStore } from "../../state/store";
import { Avatar } from "../account/Avatar";
import { hasSomeone, whoOf } from "../account/who";
import { Icon } from "../ui/Icon";
import { Menu, type MenuEntry } from "../ui/Menu";
import "./sidebar.css";

const w = words.account;

/** AccountRow names the signed-in user; its menu contains the account actions. */
export function AccountRow(props: { onLeave?: () => void }) {
  const state = useStore();
  const account = () => state.account;
  const someone = () => hasSomeone(account());
  const needed = () => someone() && needOf(account()) !== undefined;
  const label = () => w.menu(needed() ? `${whoOf(account())}, ${w.needed}` : whoOf(account()));
  const checked = () => {
    const at = account().checkedAt;
    if (account().source === "cli") return w.notChecked;
    return at ? w.checkLast(w.ago(nowFor(at) - at), w.checked(account())) : w.neverChecked;
  };
  const away = (then: () => void) => () => {
    then();
    props.onLeave?.();
  };
  const check = () =>
    void actions.checkAccount().catch((thrown) => actions.log("warn", `check: ${thrown.message}`));
  const entries = (): MenuEntry[] => [
    {
      label: w.settings,
      icon: <Icon of={User} size="sm" />,
      onSelect: away(() => go({ name: "settings", page: "account" })),
    },
    { label: w.checkNow, icon: <Icon of={RefreshCw} size="sm" />, onSelect: check },
    {
      label: someone() && !needed() ? w.anotherMore : w.signInMore,
      icon: <Icon of={KeyRound} size="sm" />,
      onSelect: away(openSignIn),
    },
  ];
  return (
    <Menu
      label={label()}
      triggerClass="account"
      placement="top-start"
      trigger={
        <>
          <Show
            when={account().state !== "unknown"}
            fallback={<Icon of={LoaderCircle} size="sm" class="spin subtle" />}
          >
            <Avatar account={account()} />
          </Show>
          <span class="trunc grow" title={account().login}>
            {whoOf(account())}
          </span>
          <Show when={needed()}>
            <Icon of={KeyRound} size="sm" class="c-attn" />
          </Show>
        </>
      }
      groups={[
        ...(someone()
          ? [{ caption: `${account().host} · ${w.from(account())} · ${checked()}`, entries: entries() }]
          : [{ entries: entries() }]),
        ...(someone()
          ? [
              {
                entries: [
                  { label: w.signOutMore, icon: <Icon of={LogOut} size="sm" />, onSelect: away(askSignOut) },
                ],
              },
            ]
          : []),
      ]}
    />
  );
}
