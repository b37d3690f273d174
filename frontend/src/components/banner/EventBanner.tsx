// Banners that stand in the transcript: something happened to the chat.

import type { LucideIcon } from "lucide-solid";
import CornerUpLeft from "lucide-solid/icons/corner-up-left";
import FileDiff from "lucide-solid/icons/file-diff";
import Gauge from "lucide-solid/icons/gauge";
import Hourglass from "lucide-solid/icons/hourglass";
import Plug from "lucide-solid/icons/plug";
import Shield from "lucide-solid/icons/shield";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import Unplug from "lucide-solid/icons/unplug";
import { createMemo, createSignal, Match, Show, Switch } from "solid-js";
import { unwrap } from "solid-js/store";
import { words } from "../../i18n";
import { seen, timeOf } from "../../lib/format";
import { actions } from "../../state/actions";
import { turnBefore, turnChanged } from "../../state/changed";
import { openInspector } from "../../state/inspector";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { type BannerKind, type Banner as Facts, type Item, SessionMain } from "../../state/types";
import { notify } from "../shell/notices";
import { named } from "../transcript/Seen";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Menu } from "../ui/Menu";
import { clock } from "../ui/when";
import { Banner, Rule } from "./Banner";
import { Countdown } from "./Countdown";
import { lastWords } from "./died";
import { StopsSoon } from "./StopsSoon";

interface PartProps {
  item: Item;
  banner: Facts;
}

/** maxNamed is how many sessions a banner names. */
const maxNamed = 4;

interface Look {
  icon: LucideIcon;
  label(who: string): string;
}

const w = words.chat.banner;
const restored: Look = { icon: Plug, label: () => w.restored.label };

/** How each kind looks and what it is called, open and as the rule that is left of it. */
const looks: Record<BannerKind, Look> = {
  restored,
  resumed: restored,
  incomplete: { icon: TriangleAlert, label: () => w.incomplete.label },
  session_lost: { icon: Unplug, label: () => w.lost.label },
  differs: { icon: TriangleAlert, label: w.differs.label },
  allow_all: { icon: Shield, label: () => w.allowAll.label },
  mode: { icon: Plug, label: () => w.mode.label },
  continued: { icon: CornerUpLeft, label: () => w.continued.label },
  rate_limited: { icon: Hourglass, label: () => w.paused.label },
  stops_soon: { icon: Hourglass, label: () => w.stopsSoon.label },
  extended: { icon: Hourglass, label: () => w.extended.label },
  agent_limit: { icon: Gauge, label: (who) => w.limit.label(who) },
  unasked: { icon: Shield, label: w.unasked.label },
  agent_error: { icon: TriangleAlert, label: w.agentError.label },
};

/** A kind that a newer VoxPilot wrote is a problem that the agent told of. */
const lookOf = (kind: BannerKind) => looks[kind] ?? looks.agent_error;

/** What the agent said of it, in which nothing hides. */
const detailOf = (banner: Facts) => seen(banner.detail ?? "", "prose");

const session = (banner: Facts) => banner.session || SessionMain;

/** nameOf is the name of a banner's session; "" for the chat's own, which bears none. */
const nameOf = (banner: Facts) => (session(banner) === SessionMain ? "" : seen(session(banner)));

/** calledOf is an agent in a session: work was given to it by name, or it answers the chat itself. */
const calledOf = (agent: string, banner: Facts) =>
  nameOf(banner) === "" ? agent : words.chat.work.label(agent, nameOf(banner));

/** Continue asks the session to go on where it stopped, which also settles the banner. */
function Continue(props: PartProps) {
  const state = useStore();
  const [sent, setSent] = createSignal(false);
  const goOn = () => {
    const name = session(props.banner);
    const prompt = words.chat.banner.continuePrompt;
    if (name === SessionMain) return actions.send(props.item.chatId, prompt);
    return actions.sendTo(props.item.chatId, name, prompt);
  };
  /** The user has gone on by hand: the session had a turn since. */
  const hasGoneOn = () =>
    Object.values(raw().turns).some(
      (turn) =>
        turn.chatId === props.item.chatId &&
        turn.session === session(props.banner) &&
        turn.startedAt > props.item.createdAt,
    );
  // What was begun since is looked for when the chat stops running.
  const isOffered = createMemo(() => state.chats[props.item.chatId]?.turnState !== "running" && !hasGoneOn());
  return (
    <Show when={isOffered()}>
      <Button
        look="primary"
        disabled={sent()}
        onClick={() => {
          setSent(true);
          goOn().then(
            () => actions.dismissBanner(props.item.chatId, props.item.id),
            (thrown) => {
              setSent(false);
              actions.log("warn", `ask to continue: ${thrown.message}`);
            },
          );
        }}
      >
        {words.chat.banner.continue(select.answered(state, props.item.turnId))}
      </Button>
    </Show>
  );
}

/** Told is what a new session was told of the one before. */
function Told(props: { text: string }) {
  return (
    <div class="disc sel">
      <strong>{words.chat.banner.lost.told}</strong>
      <br />
      <span class="typed">{named(props.text, "prose")}</span>
    </div>
  );
}

function Lost(props: PartProps & { onDismiss: () => void }) {
  const state = useStore();
  const agent = () => select.agentOf(state, props.item.chatId);
  const [told, setTold] = createSignal(false);
  const text = words.chat.banner.lost;
  return (
    <Banner
      tone="attn"
      label={text.label}
      icon={Unplug}
      onDismiss={props.onDismiss}
      more={
        <Show when={told()}>
          <Told text={props.banner.told ?? ""} />
        </Show>
      }
      actions={
        <>
          <Show when={props.banner.told}>
            <Button aria-expanded={told()} onClick={() => setTold(!told())}>
              {(told() ? text.hide : text.show)(agent())}
            </Button>
          </Show>
          <Show when={props.banner.detail}>
            {(detail) => <CopyButton look="ghost" text={detail()} label={words.chat.copyDetails} />}
          </Show>
        </>
      }
    >
      {text.body(agent())}
    </Banner>
  );
}

/** Unasked says what an agent changed without asking, and what in the folder may have answered for the user. */
function Unasked(props: PartProps & { who: string; onDismiss: () => void }) {
  const text = words.chat.banner.unasked;
  const lines = () => detailOf(props.banner).split("\n");
  const suspects = () => lines().slice(1).join(", ");
  return (
    <Banner
      tone="bad"
      label={text.label(props.who)}
      icon={Shield}
      strong={text.strong(props.who)}
      onDismiss={props.onDismiss}
      actions={
        <>
          <Button
            look="primary"
            icon={FileDiff}
            onClick={() => openInspector("changes", props.banner.session ?? "")}
          >
            {words.inspector.changes.soFar}
          </Button>
          <CopyButton look="ghost" text={detailOf(props.banner)} label={words.chat.copyDetails} />
        </>
      }
    >
      {text.body} <code class="mono">{lines()[0]}</code>
      <br />
      {suspects() ? text.suspects(suspects()) : text.noSuspects} {text.next}
    </Banner>
  );
}

/** AllowAll says that a session came back with nothing to stop it, and offers to. */
function AllowAll(props: PartProps & { onDismiss: () => void }) {
  const state = useStore();
  const text = words.chat.banner.allowAll;
  const on = () => select.permissionMode(state, props.item.chatId) === "bypass";
  return (
    <Banner
      tone="attn"
      label={text.label}
      icon={Shield}
      strong={text.strong}
      onDismiss={props.onDismiss}
      actions={
        <Show when={on()}>
          <Button
            look="primary"
            onClick={() => {
              actions.setPermissionMode(props.item.chatId, "ask");
              props.onDismiss();
            }}
          >
            {text.off}
          </Button>
        </Show>
      }
    >
      {text.body(calledOf(select.agentOf(state, props.item.chatId), props.banner))}
    </Banner>
  );
}

/**
 * Paused is a pause that a model service asked for, while it lasts. Another model
 * of it, or another main AI, that is chosen meanwhile goes on at once.
 */
function Paused(props: PartProps) {
  const state = useStore();
  const text = words.chat.banner.paused;
  const main = () => state.providers[state.turns[props.item.turnId ?? ""]?.mainId ?? ""];
  const use = async (model: string) => {
    const provider = main();
    if (!provider) return;
    try {
      await actions.saveProvider({ ...unwrap(provider), model }, "");
      await actions.checkProvider(provider.id);
    } catch (thrown) {
      const detail = thrown instanceof Error ? thrown.message : "";
      notify({ id: "model", text: words.settings.saveFailed, detail, failed: true });
    }
  };
  const models = () =>
    (main()?.models ?? [])
      .filter((model) => model !== main()?.model)
      .map((model) => ({
        label: model,
        fact: main()?.name,
        onSelect: () => use(model),
      }));
  const others = () =>
    Object.values(state.providers)
      .filter((provider) => provider.id !== main()?.id)
      .sort((a, b) => a.createdAt - b.createdAt)
      .map((provider) => ({
        label: provider.model,
        fact: provider.name,
        onSelect: () => actions.answerBy(props.item.chatId, { main: provider.id }),
      }));
  const groups = () => [models(), others()].filter((each) => each.length > 0).map((entries) => ({ entries }));
  return (
    <Banner
      tone="attn"
      label={text.label}
      icon={Hourglass}
      strong={text.strong(detailOf(props.banner))}
      actions={
        <>
          <Show when={groups().length > 0}>
            <Menu label={text.change} triggerClass="btn" trigger={text.change} groups={groups()} />
          </Show>
          <Button look="ghost" onClick={() => actions.stop(props.item.chatId)}>
            {text.cancel}
          </Button>
        </>
      }
    >
      <Countdown at={props.banner.nextTryAt ?? 0} clock={(left) => clock(left * 1000)} says={text.body} />
    </Banner>
  );
}

function ruleOf(item: Item, banner: Facts, who: string): string {
  const time = timeOf(item.createdAt);
  const text = words.chat.banner;
  switch (banner.kind) {
    case "restored":
    case "resumed":
      return text.restored.rule(time);
    case "incomplete":
      return text.incomplete.rule(time);
    case "session_lost":
      return text.lost.rule(time);
    case "differs":
      return text.differs.rule(who, time);
    case "allow_all":
      return text.allowAll.rule(time);
    case "mode":
      return text.mode.rule(detailOf(banner), time);
    case "continued":
      return text.continued.rule(detailOf(banner));
    case "agent_limit":
      return text.limit.rule(who, time);
    case "rate_limited":
      return text.paused.rule(detailOf(banner), time);
    case "stops_soon":
      return text.stopsSoon.rule(time);
    case "extended":
      return text.extended.rule(detailOf(banner), time);
    case "unasked":
      return text.unasked.rule(who, time);
    default:
      return text.agentError.rule(who, time);
  }
}

/** EventBanner is a banner item of the transcript; more are those that say the same of other sessions. */
export function EventBanner(props: PartProps & { more?: string[] }) {
  const state = useStore();
  const who = () => select.actor(state, props.item.chatId, props.item.turnId);
  const agent = () => select.agentOf(state, props.item.chatId);
  const text = words.chat.banner;
  const dismiss = () => {
    for (const id of [props.item.id, ...(props.more ?? [])]) actions.dismissBanner(props.item.chatId, id);
  };
  /** The sessions that came back, main first. */
  const names = () => {
    const banners = (props.more ?? []).map((id) => state.items[id]?.banner);
    const all = [props.banner, ...banners].flatMap((banner) => (banner ? [nameOf(banner)] : []));
    return [...new Set(all)].sort((a, b) => Number(b === "") - Number(a === ""));
  };
  const mayHaveChanged = createMemo(() => {
    void state.pages[props.item.chatId]?.rev;
    const cut = turnBefore(raw(), props.item, session(props.banner));
    return turnChanged(raw(), props.item.chatId, cut?.id ?? "") !== false;
  });
  const kind = () => props.banner.kind;
  const named = () => ({ label: lookOf(kind()).label(who()), icon: lookOf(kind()).icon });
  const [told, setTold] = createSignal(false);
  const isRule = () =>
    kind() === "resumed" ||
    kind() === "continued" ||
    kind() === "mode" ||
    kind() === "extended" ||
    ((kind() === "rate_limited" || kind() === "stops_soon") && !props.item.open) ||
    !!props.banner.dismissed;
  /** Who is told what an earlier chat was about: whoever answers this one. */
  const reader = () => (kind() === "continued" ? select.responder(state, props.item.chatId) : agent());
  const showTold = () => text[kind() === "continued" ? "continued" : "lost"].show(reader());
  const hideTold = () => text[kind() === "continued" ? "continued" : "lost"].hide(reader());
  return (
    <Show
      when={!isRule()}
      fallback={
        <>
          <Rule {...named()}>
            {ruleOf(props.item, props.banner, who())}
            <Show when={props.banner.told}>
              {" "}
              <button type="button" class="link" aria-expanded={told()} onClick={() => setTold(!told())}>
                {told() ? hideTold() : showTold()}
              </button>
            </Show>
          </Rule>
          <Show when={told()}>
            <Told text={props.banner.told ?? ""} />
          </Show>
        </>
      }
    >
      <Switch
        fallback={
          <Banner tone="attn" {...named()} strong={text.agentError.strong(who())} onDismiss={dismiss}>
            {detailOf(props.banner)}
          </Banner>
        }
      >
        <Match when={kind() === "restored"}>
          <Banner tone="ok" {...named()} strong={text.restored.strong} onDismiss={dismiss}>
            {text.restored.body(agent(), names().slice(0, maxNamed), Math.max(0, names().length - maxNamed))}
          </Banner>
        </Match>
        <Match when={kind() === "incomplete"}>
          <Banner
            tone="attn"
            {...named()}
            strong={text.incomplete.strong}
            onDismiss={dismiss}
            more={
              <Show when={lastWords(raw(), props.item)}>
                {(told) => (
                  <div class="disc sel">
                    <div class="log-lines">{told()}</div>
                  </div>
                )}
              </Show>
            }
            actions={
              <>
                <Continue {...props} />
                <Show when={mayHaveChanged()}>
                  <Button
                    icon={FileDiff}
                    onClick={() => openInspector("changes", props.banner.session ?? "")}
                  >
                    {words.inspector.changes.soFar}
                  </Button>
                </Show>
              </>
            }
          >
            {text.incomplete.body(calledOf(agent(), props.banner))}
          </Banner>
        </Match>
        <Match when={kind() === "session_lost"}>
          <Lost {...props} onDismiss={dismiss} />
        </Match>
        <Match when={kind() === "allow_all"}>
          <AllowAll {...props} onDismiss={dismiss} />
        </Match>
        <Match when={kind() === "unasked"}>
          <Unasked {...props} who={who()} onDismiss={dismiss} />
        </Match>
        <Match when={kind() === "differs"}>
          <Banner tone="attn" {...named()} strong={text.differs.strong(who())} onDismiss={dismiss}>
            {`${detailOf(props.banner)} ${text.differs.body}`.trim()}
          </Banner>
        </Match>
        <Match when={kind() === "rate_limited"}>
          <Paused {...props} />
        </Match>
        <Match when={kind() === "stops_soon"}>
          <StopsSoon {...props} />
        </Match>
        <Match when={kind() === "agent_limit"}>
          <Banner
            tone="attn"
            {...named()}
            strong={text.limit.strong(who())}
            onDismiss={dismiss}
            actions={<Continue {...props} />}
          >
            {text.limit.body}
          </Banner>
        </Match>
      </Switch>
    </Show>
  );
}
