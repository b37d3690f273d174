import KeyRound from "lucide-solid/icons/key-round";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import LogOut from "lucide-solid/icons/log-out";
import RefreshCw from "lucide-solid/icons/refresh-cw";
import User from "lucide-solid/icons/user";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { needOf } from "../../state/account";
import { actions } from "../../state/actions";
import { openSignIn, openSignOut } from "../../state/dialogs";
import { go } from "../../state/screen";
import { useStore } from "../../state/store";
import { Avatar } from "../account/Avatar";
import { accountName, hasSignIn } from "../account/accountName";
import { Icon } from "../ui/Icon";
import { Menu, type MenuEntry } from "../ui/Menu";
import "./sidebar.css";

const t = messages.account;

/** AccountRow shows the name of the signed-in user and a menu with the account actions. */
export function AccountRow(props: { onLeave?: () => void }) {
  const state = useStore();
  const account = () => state.account;
  const someone = () => hasSignIn(account());
  const needed = () => someone() && needOf(account()) !== undefined;
  const label = () => t.menu(needed() ? `${accountName(account())}, ${t.needed}` : accountName(account()));
  const checked = () => {
    const at = account().checkedAt;
    if (account().source === "cli") return t.notChecked;
    return at ? t.checkLast(t.ago(coarseNow(at) - at), t.checked(account())) : t.neverChecked;
  };
  const leaving = (then: () => void) => () => {
    then();
    props.onLeave?.();
  };
  const check = () =>
    void actions.checkAccount().catch((thrown) => actions.log("warn", `check: ${thrown.message}`));
  const entries = (): MenuEntry[] => [
    {
      label: t.settings,
      icon: <Icon of={User} size="sm" />,
      onSelect: leaving(() => go({ name: "settings", page: "account" })),
    },
    { label: t.checkNow, icon: <Icon of={RefreshCw} size="sm" />, onSelect: check },
    {
      label: someone() && !needed() ? t.anotherMore : t.signInMore,
      icon: <Icon of={KeyRound} size="sm" />,
      onSelect: leaving(openSignIn),
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
            {accountName(account())}
          </span>
          <Show when={needed()}>
            <Icon of={KeyRound} size="sm" class="c-attn" />
          </Show>
        </>
      }
      groups={[
        ...(someone()
          ? [{ caption: `${account().host} · ${t.from(account())} · ${checked()}`, entries: entries() }]
          : [{ entries: entries() }]),
        ...(someone()
          ? [
              {
                entries: [
                  {
                    label: t.signOutMore,
                    icon: <Icon of={LogOut} size="sm" />,
                    onSelect: leaving(openSignOut),
                  },
                ],
              },
            ]
          : []),
      ]}
    />
  );
}
