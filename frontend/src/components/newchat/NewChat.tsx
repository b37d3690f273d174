import ChevronDown from "lucide-solid/icons/chevron-down";
import FileDiff from "lucide-solid/icons/file-diff";
import FolderOpen from "lucide-solid/icons/folder-open";
import FolderSearch from "lucide-solid/icons/folder-search";
import GitBranch from "lucide-solid/icons/git-branch";
import ListChecks from "lucide-solid/icons/list-checks";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import { createEffect, createMemo, createSignal, For, on, onMount, Show, untrack } from "solid-js";
import { toAppError } from "../../bridge";
import { messages } from "../../i18n";
import { folderName, tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { createChats } from "../../state/chats";
import { draftAttachments } from "../../state/draftAttachments";
import { navigationText, takeNavigationText } from "../../state/navigation";
import { createPreference } from "../../state/preference";
import { rowState } from "../../state/rows";
import { areSameSandbox, withChoices } from "../../state/sandbox";
import { go, screen } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { type Attachment, type Chat, MaxPromptBytes, ProviderPractice } from "../../state/types";
import { Pickers } from "../composer/Pickers";
import { CLIHelp } from "../firstrun/FirstRun";
import { createFolderFacts } from "../firstrun/FolderField";
import { ChatTime, StateGlyph, titleOf } from "../shell/ChatRow";
import { ShowSidebar } from "../shell/ShowSidebar";
import { StorageBanner } from "../shell/StorageBanner";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { FirstMessage } from "./FirstMessage";
import { FolderPicker } from "./FolderPicker";
import { createPicks } from "./picks";
import { practicePrompts } from "./practice";
import "./newchat.css";

const t = messages.newChat;
const encoder = new TextEncoder();

/** NewChat creates a chat from a folder, a model or agent, and a first message. */
export function NewChat(props: { onShowSidebar?: () => void }) {
  const state = useStore();
  let text!: HTMLTextAreaElement;

  const [draft, setDraft] = createPreference("voxpilot.new-draft", "");
  const all = createChats();
  const chats = createMemo(() => [...all()].sort((a, b) => b.updatedAt - a.updatedAt));
  const real = createMemo(() => chats().filter((chat) => !select.isPractice(chat)));
  const recentFolders = createMemo(() => [...new Set(real().map((chat) => chat.folder))].slice(0, 8));

  const requestedFolder = () => {
    const now = screen();
    return now.name === "new" ? now.folder : undefined;
  };
  const [chosen, setChosen] = createSignal<string>();
  createEffect(on(requestedFolder, (folder) => setChosen(folder)));
  /**
   * holding returns an accessor for the value of `newest`. While the form contains a draft, the accessor's
   * value doesn't change, so that activity in other chats changes neither the model nor the folder.
   */
  const holding = <T,>(newest: () => T) => {
    let held: { value: T } | undefined;
    return (): T => {
      const value = newest();
      if (draft() === "" || !held) held = state.ready ? { value } : undefined;
      return held ? held.value : value;
    };
  };
  const lastFolder = createMemo(holding(() => recentFolders()[0] ?? ""));
  const folder = () => chosen() ?? lastFolder();
  const facts = createFolderFacts(folder);

  const { pickers, answers, main, practice, isOther, mode, modes, options, permission, sandbox } =
    createPicks(holding, () => canStart(), chosen);

  // Text from outside the window, for example from a link, is appended to the user's text.
  createEffect(() => {
    const more = navigationText();
    if (more === "") return;
    const typed = untrack(draft).trimEnd();
    if (!typed.endsWith(more)) setDraft(typed === "" ? more : `${typed}\n\n${more}`);
    takeNavigationText();
  });
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  /**
   * A chat that was created, but whose message was neither sent nor stored. The next attempt to send uses this chat.
   */
  let left: { chat: Chat; of: string } | undefined;

  onMount(() => text.focus());

  const canStart = () => state.cli.state === "found" || state.cli.state === "checking";
  /** Whether the selected model or agent can answer. Neither custom agents nor orchestrators need the Copilot CLI. */
  const hasAnswerer = () => canStart() || isOther() || main() !== "";
  const canSend = () =>
    !busy() && hasAnswerer() && (practice() || (folder() !== "" && facts.latest?.exists === true));
  const [wanted, setWanted] = createSignal(0);
  /** askFolder opens the folder picker if a folder is all that is missing before the message can be sent. */
  const askFolder = () => {
    const lacks = folder() === "" || facts.latest?.exists === false;
    if (lacks && !practice() && !busy() && hasAnswerer()) setWanted((n) => n + 1);
  };
  const send = async (message: string, attachments: Attachment[]) => {
    if (encoder.encode(message).length > MaxPromptBytes) {
      setFailure(t.tooLarge);
      return;
    }
    setFailure("");
    setBusy(true);
    draftAttachments.sending(attachments);
    const path = facts.latest?.path ?? folder();
    const of = practice() ? ProviderPractice : JSON.stringify([path, answers()]);
    let chat = left?.of === of ? all().find(({ id }) => id === left?.chat.id) : undefined;
    // Text and attachments added while the message was being sent stay in the form.
    const leave = (id: string) => {
      left = undefined;
      setDraft((now) => (now.startsWith(message) ? now.slice(message.length).trimStart() : now));
      draftAttachments.removeSent(attachments);
      go({ name: "chat", id });
    };
    try {
      chat ??= practice() ? await actions.startPractice() : await actions.createChat(path, answers());
      left = { chat, of };
      if (!practice() && (chat.mainId ?? "") !== main()) await actions.setOrchestrator(chat.id, main());
      const allowed = permission() ?? chat.permissionMode;
      if (chat.permissionMode !== allowed) await actions.applyPermissionMode(chat.id, allowed);
      const wanted = sandbox(chat.sandbox);
      if (!areSameSandbox(chat.sandbox, wanted))
        await actions.applySandbox(chat.id, withChoices(chat.sandbox, wanted));
      if (main() === "" && modes().length + options().length > 0) {
        const chosen = Object.fromEntries(options().map(({ id, value }) => [id, value]));
        await actions.setInitialOptions(chat.id, mode(), chosen);
      }
      await actions.send(chat.id, message, attachments);
      leave(chat.id);
    } catch (thrown) {
      setFailure(toAppError(thrown).message);
      const id = chat?.id;
      if (id === undefined) return;
      // The chat exists, but its message was rejected: the message moves to that chat's composer. If that
      // fails too, the message stays in this form.
      await actions.storeRejectedMessage(id, message, attachments, thrown).then(
        () => leave(id),
        () => {},
      );
    } finally {
      draftAttachments.stayed();
      setBusy(false);
    }
  };

  const agentName = () =>
    state.providers[answers()]?.name ?? state.profiles[answers()]?.name ?? messages.common.copilot;
  const answerName = () => {
    if (practice()) return messages.common.practice;
    return state.providers[main()]?.name ?? agentName();
  };
  const suggest = (line: string) => {
    setDraft(line);
    text.focus();
  };
  const suggestions = () => {
    if (practice()) return practicePrompts;
    const inGit = [
      { icon: FileDiff, text: t.suggestions.review },
      { icon: ListChecks, text: t.suggestions.tests },
    ];
    return [...(facts.latest?.branch ? inGit : []), { icon: FolderSearch, text: t.suggestions.explain }];
  };
  const here = createMemo(() =>
    practice()
      ? chats()
          .filter((chat) => select.isPractice(chat))
          .slice(0, 3)
      : real()
          .filter((chat) => chat.folder === folder())
          .slice(0, 3),
  );
  const toSessions = () => go({ name: "sessions" });
  const waiting = createMemo(() => new Set(select.needsAttention(state).map((chat) => chat.id)));

  return (
    <main class="main" aria-label={t.title}>
      <header class="bar">
        <Show when={props.onShowSidebar}>{(show) => <ShowSidebar onShow={show()} />}</Show>
        <h1 class="title sr">{t.title}</h1>
      </header>
      <StorageBanner />
      <div class="scroll new-scroll">
        <div class="new">
          <Show
            when={!practice()}
            fallback={
              <p class="ws-fixed">
                <Icon of={FolderOpen} />
                <span>{t.practiceFolder}</span>
              </p>
            }
          >
            <FolderPicker
              folder={folder()}
              recent={recentFolders()}
              openCount={wanted()}
              onFolder={(path) => {
                setChosen(path);
                text.focus();
              }}
            >
              <Icon of={FolderOpen} />
              <span class="trunc" title={tilde(folder())}>
                {folder() === "" ? t.noFolder : folderName(folder())}
              </span>
              <Icon of={ChevronDown} size="sm" />
            </FolderPicker>
          </Show>
          <p class="facts" role="status">
            <Show when={!practice()} fallback={<span>{t.practiceFacts}</span>}>
              <Show
                when={folder() !== ""}
                fallback={<span>{t.noFolderFacts(select.agentName(state, answers()))}</span>}
              >
                <Show when={facts.latest} fallback={<span>{t.checking}</span>}>
                  {(known) => (
                    <Show
                      when={known().exists}
                      fallback={<span class="c-bad">{known().message || t.missing}</span>}
                    >
                      <Show when={known().branch} fallback={<span>{t.noGit}</span>}>
                        {(branch) => (
                          <>
                            <Icon of={GitBranch} size="sm" />
                            <span>{t.git(branch(), known().changed)}</span>
                          </>
                        )}
                      </Show>
                    </Show>
                  )}
                </Show>
              </Show>
            </Show>
          </p>
          <FirstMessage
            text={draft()}
            onText={(value) => {
              setDraft(value);
              setFailure("");
            }}
            folder={practice() || facts.latest?.exists !== true ? "" : (facts.latest.path ?? folder())}
            placeholder={
              practice()
                ? t.placeholderPractice
                : folder() === ""
                  ? t.placeholderNone
                  : t.placeholder(folderName(folder()))
            }
            who={answerName()}
            canSend={canSend()}
            onSend={(message, attachments) => void send(message, attachments)}
            onBlocked={askFolder}
            ref={(field) => {
              text = field;
            }}
          >
            <Pickers {...pickers} />
          </FirstMessage>
          <Failure text={failure()} />
          <Show when={!canStart() && main() === ""}>
            <section class="cli-help" aria-label={messages.settings.agent.cli}>
              <h2>{messages.shell.cliFoot(state.cli)}</h2>
              <CLIHelp />
            </section>
          </Show>
          <p class="hint">{t.hint}</p>
          <Show
            when={practice() || (folder() !== "" && facts.latest?.exists !== false)}
            fallback={
              <Button look="ghost" class="to-sessions" icon={SquareTerminal} onClick={toSessions}>
                {messages.sessions.fromTerminal}
              </Button>
            }
          >
            <div class="new-lists">
              <section aria-label={t.startFrom}>
                <p class="cap">{t.startFrom}</p>
                <ul>
                  <For each={suggestions()}>
                    {(each) => (
                      <li>
                        <button type="button" class="opt" onClick={() => suggest(each.text)}>
                          <span class="gl">
                            <Icon of={each.icon} size="sm" />
                          </span>
                          <span class="trunc">{each.text}</span>
                        </button>
                      </li>
                    )}
                  </For>
                  <Show when={!practice()}>
                    <li>
                      <button type="button" class="opt" onClick={toSessions}>
                        <span class="gl">
                          <Icon of={SquareTerminal} size="sm" />
                        </span>
                        <span class="trunc">{messages.sessions.fromTerminal}</span>
                      </button>
                    </li>
                  </Show>
                </ul>
              </section>
              <Show when={here().length > 0}>
                <section aria-label={t.recent}>
                  <p class="cap">{t.recent}</p>
                  <ul>
                    <For each={here()}>
                      {(chat) => {
                        const how = () => rowState(chat, waiting().has(chat.id));
                        return (
                          <li>
                            <button
                              type="button"
                              class="opt"
                              onClick={() => go({ name: "chat", id: chat.id })}
                            >
                              <span class="gl">
                                <StateGlyph state={how()} />
                              </span>
                              <span class="trunc">{titleOf(chat)}</span>
                              <span class="r num">
                                <ChatTime chat={chat} state={how()} />
                              </span>
                            </button>
                          </li>
                        );
                      }}
                    </For>
                  </ul>
                </section>
              </Show>
            </div>
          </Show>
        </div>
      </div>
    </main>
  );
}
