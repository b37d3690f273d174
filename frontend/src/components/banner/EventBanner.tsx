// Banners in the transcript about events in the chat.

import type { LucideIcon } from "lucide-solid";
import CornerUpLeft from "lucide-solid/icons/corner-up-left";
import FileDiff from "lucide-solid/icons/file-diff";
import Gauge from "lucide-solid/icons/gauge";
import Hourglass from "lucide-solid/icons/hourglass";
import Plug from "lucide-solid/icons/plug";
import Shield from "lucide-solid/icons/shield";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import Undo2 from "lucide-solid/icons/undo-2";
import Unplug from "lucide-solid/icons/unplug";
import { createMemo, createSignal, Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { timeOf, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { openInspector } from "../../state/inspector";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { turnBefore, turnChanged } from "../../state/turnChanges";
import type { BannerKind, Banner as Facts, Item } from "../../state/types";
import { Button } from "../ui/Button";
import { Banner, Rule } from "./Banner";
import { Continue } from "./Continue";
import { exitReasonOf } from "./exitReason";
import { agentLabel, detailOf, detailSentence, type PartProps, session, sessionName } from "./facts";
import { Lost, Recap } from "./Lost";
import { Paused } from "./Paused";
import { Rescued } from "./Rescued";
import { TimeLimit } from "./TimeLimit";
import { AllowAll, WithoutPermission } from "./WithoutPermission";

/** maxNamed is the maximum number of sessions named by a banner. */
const maxNamed = 4;

interface BannerLook {
  icon: LucideIcon;
  label(who: string): string;
}

const t = messages.chat.banner;
const restored: BannerLook = { icon: Plug, label: () => t.restored.label };

/** Icon and label of each kind of banner, used even if the banner is shown as a line. */
const bannerLooks: Record<BannerKind, BannerLook> = {
  restored,
  resumed: restored,
  incomplete: { icon: TriangleAlert, label: () => t.incomplete.label },
  session_lost: { icon: Unplug, label: () => t.lost.label },
  repaired: { icon: Plug, label: () => t.repaired.label },
  rebuilt: { icon: Plug, label: () => t.rebuilt.label },
  handed_over: { icon: CornerUpLeft, label: () => t.handedOver.label },
  differs: { icon: TriangleAlert, label: t.historyMismatch.label },
  allow_all: { icon: Shield, label: () => t.allowAll.label },
  mode: { icon: Plug, label: () => t.mode.label },
  continued: { icon: CornerUpLeft, label: () => t.continued.label },
  rate_limited: { icon: Hourglass, label: () => t.paused.label },
  stops_soon: { icon: Hourglass, label: () => t.timeLimit.label },
  extended: { icon: Hourglass, label: () => t.extended.label },
  agent_limit: { icon: Gauge, label: (who) => t.limit.label(who) },
  unasked: { icon: Shield, label: t.withoutPermission.label },
  guard_off: { icon: Shield, label: () => t.guardOff.label },
  agent_error: { icon: TriangleAlert, label: t.agentError.label },
  undone: { icon: Undo2, label: () => messages.undo.earlierLabel(false) },
  redone: { icon: Undo2, label: () => messages.undo.earlierLabel(true) },
  imported: { icon: SquareTerminal, label: () => t.imported.label },
  written_elsewhere: { icon: SquareTerminal, label: () => t.writtenElsewhere.label },
};

/** Unknown kinds from a newer VoxPilot are shown as agent errors. */
const lookOf = (kind: BannerKind) => bannerLooks[kind] ?? bannerLooks.agent_error;

function ruleOf(item: Item, banner: Facts, who: string): string {
  const time = timeOf(item.createdAt);
  const text = messages.chat.banner;
  switch (banner.kind) {
    case "restored":
    case "resumed":
      return text.restored.rule(time);
    case "incomplete":
      return text.incomplete.rule(time);
    case "session_lost":
      return text.lost.rule(time);
    case "repaired":
    case "rebuilt":
      return text[banner.kind].rule(time);
    case "handed_over":
      return messages.common.noted(text.handedOver.rule(who, time), visibleText(banner.note ?? "", "prose"));
    case "imported":
      return messages.common.noted(
        banner.from
          ? text.imported.fromProgram(banner.from, detailOf(banner))
          : banner.copy
            ? text.imported.copy(detailOf(banner))
            : text.imported.rule(detailOf(banner)),
        visibleText(banner.note ?? "", "prose"),
      );
    case "written_elsewhere":
      return text.writtenElsewhere.rule(detailOf(banner));
    case "differs":
      return text.historyMismatch.rule(who, time);
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
      return text.timeLimit.rule(time);
    case "extended":
      return text.extended.rule(detailOf(banner), time);
    case "unasked":
      return text.withoutPermission.rule(who, time);
    case "guard_off":
      return text.guardOff.rule(time);
    case "undone":
    case "redone": {
      const turn = raw().turns[item.turnId ?? ""]?.startedAt;
      const what = messages.undo.earlier(banner.kind === "redone", turn ? timeOf(turn) : "", time);
      return messages.common.noted(what, visibleText(banner.note ?? "", "prose"));
    }
    default:
      return text.agentError.rule(who, time);
  }
}

/**
 * EventBanner renders a banner item of the transcript. It also represents the items whose IDs are in `more`: they have
 * the same banner, but for other sessions of the chat.
 */
export function EventBanner(props: PartProps & { more?: string[] }) {
  const state = useStore();
  const who = () => select.actor(state, props.item.chatId, props.item.turnId);
  const agent = () => select.agentOf(state, props.item.chatId);
  const text = messages.chat.banner;
  const dismiss = () => {
    for (const id of [props.item.id, ...(props.more ?? [])]) actions.dismissBanner(props.item.chatId, id);
  };
  /** The names of the restored sessions, the main session first. */
  const names = () => {
    const banners = (props.more ?? []).map((id) => state.items[id]?.banner);
    const all = [props.banner, ...banners].flatMap((banner) => (banner ? [sessionName(banner)] : []));
    return [...new Set(all)].sort((a, b) => Number(b === "") - Number(a === ""));
  };
  const mayHaveChanged = createMemo(() => {
    void state.pages[props.item.chatId]?.rev;
    const cut = turnBefore(raw(), props.item, session(props.banner));
    return turnChanged(raw(), props.item.chatId, cut?.id ?? "") !== false;
  });
  const kind = () => props.banner.kind;
  const named = () => ({ label: lookOf(kind()).label(who()), icon: lookOf(kind()).icon });
  const [isRecapOpen, setRecapOpen] = createSignal(false);
  const isRule = () =>
    kind() === "resumed" ||
    kind() === "continued" ||
    kind() === "mode" ||
    kind() === "extended" ||
    kind() === "undone" ||
    kind() === "redone" ||
    kind() === "handed_over" ||
    kind() === "imported" ||
    kind() === "written_elsewhere" ||
    ((kind() === "rate_limited" || kind() === "stops_soon") && !props.item.open) ||
    !!props.banner.dismissed;
  /** The name of the model or agent that receives the recap. */
  const reader = () => (kind() === "continued" ? select.responder(state, props.item.chatId) : agent());
  const showLabel = () => text[kind() === "continued" ? "continued" : "lost"].show(reader());
  const hideLabel = () => text[kind() === "continued" ? "continued" : "lost"].hide(reader());
  return (
    <Show
      when={!isRule()}
      fallback={
        <>
          <Rule {...named()}>
            {ruleOf(props.item, props.banner, who())}
            <Show when={props.banner.told}>
              {" "}
              <button
                type="button"
                class="link"
                aria-expanded={isRecapOpen()}
                onClick={() => setRecapOpen(!isRecapOpen())}
              >
                {isRecapOpen() ? hideLabel() : showLabel()}
              </button>
            </Show>
          </Rule>
          <Show when={isRecapOpen()}>
            <Recap text={props.banner.told ?? ""} />
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
              <Show when={exitReasonOf(raw(), props.item)}>
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
                    {messages.inspector.changes.soFar}
                  </Button>
                </Show>
              </>
            }
          >
            {text.incomplete.body(agentLabel(agent(), props.banner))}
          </Banner>
        </Match>
        <Match when={kind() === "session_lost"}>
          <Lost {...props} onDismiss={dismiss} />
        </Match>
        <Match when={kind() === "repaired" || kind() === "rebuilt"}>
          <Rescued {...props} onDismiss={dismiss} />
        </Match>
        <Match when={kind() === "allow_all"}>
          <AllowAll {...props} onDismiss={dismiss} />
        </Match>
        <Match when={kind() === "unasked"}>
          <WithoutPermission {...props} who={who()} onDismiss={dismiss} />
        </Match>
        <Match when={kind() === "guard_off"}>
          <Banner tone="attn" {...named()} strong={text.guardOff.strong} onDismiss={dismiss}>
            {messages.common.sentences(detailSentence(props.banner), text.guardOff.body(who()))}
          </Banner>
        </Match>
        <Match when={kind() === "differs"}>
          <Banner tone="attn" {...named()} strong={text.historyMismatch.strong(who())} onDismiss={dismiss}>
            {messages.common.sentences(detailSentence(props.banner), text.historyMismatch.body)}
          </Banner>
        </Match>
        <Match when={kind() === "rate_limited"}>
          <Paused {...props} />
        </Match>
        <Match when={kind() === "stops_soon"}>
          <TimeLimit {...props} />
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
