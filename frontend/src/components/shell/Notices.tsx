import X from "lucide-solid/icons/x";
import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  on,
  onCleanup,
  onMount,
  Show,
} from "solid-js";
import { messages } from "../../i18n";
import { bytes } from "../../lib/format";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import {
  askDelete,
  chatActions,
  chatToDelete,
  chatToRestart,
  closeRestart,
  deleted,
  undoEnd,
} from "../../state/chatActions";
import { keysOf } from "../../state/commands";
import { dismiss, dismissTransient, type Notice, notices, notify } from "../../state/notices";
import { createPreference } from "../../state/preference";
import { go, screen } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Chat } from "../../state/types";
import { Button, IconButton } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { CopyButton } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Kbd, keyShortcuts } from "../ui/Kbd";
import { titleOf } from "./ChatRow";
import { ShowSidebar } from "./ShowSidebar";
import "./notices.css";

const t = messages.shell;

/** UndoButton is the button that undoes the deletion of a chat. */
function UndoButton(props: { chat: Chat; ref?: (button: HTMLButtonElement) => void; large?: boolean }) {
  return (
    <Button
      ref={props.ref}
      large={props.large}
      aria-keyshortcuts={keyShortcuts(...keysOf("undoDelete"))}
      onClick={() => chatActions.restore(props.chat)}
    >
      {t.undo}
      <Kbd keys={keysOf("undoDelete")} />
    </Button>
  );
}

/**
 * CancelButton is the button that cancels the running action of a notice. If it has the focus when it is removed, the
 * focus moves to another button of the notice.
 */
function CancelButton(props: { onCancel: () => void }) {
  let button!: HTMLButtonElement;
  onCleanup(() => {
    if (document.activeElement !== button) return;
    const notice = button.closest(".notice");
    queueMicrotask(() => notice?.querySelector<HTMLElement>("button:last-of-type")?.focus());
  });
  return (
    <Button ref={(element) => (button = element)} onClick={() => props.onCancel()}>
      {t.cancelExport}
    </Button>
  );
}

/** Notices shows notices over the window: the results of actions, and deletions that can still be undone. */
export function Notices() {
  const state = useStore();
  const [expired, setExpired] = createSignal(0);
  const discarded = createMemo(() => {
    expired();
    const chats = deleted(Object.values(state.chats));
    const first = chats[0];
    if (first) {
      const timer = setTimeout(() => setExpired((n) => n + 1), undoEnd(first) - Date.now() + 1);
      onCleanup(() => clearTimeout(timer));
    }
    return chats;
  });
  const undoable = createMemo(() => {
    const now = screen();
    const openId = now.name === "chat" ? now.id : "";
    return discarded().filter((chat) => chat.id !== openId);
  });
  createEffect(
    on(
      () => state.dialogResult,
      (result) => {
        if (!result?.request.startsWith("delete ")) return;
        const chat = state.chats[result.request.slice("delete ".length)];
        if (!chat) return;
        const now = screen();
        if (now.name === "chat" && now.id === chat.id) go({ name: "new" });
        notify({
          id: result.request,
          text: t.notDeleted(titleOf(chat)),
          detail: result.message,
          failed: true,
          mend: { label: t.undo, run: () => chatActions.restore(chat) },
        });
      },
    ),
  );
  // Shows the progress and result of an export, unless the user cancels the file dialog.
  createEffect(
    on(
      () => state.dialogResult,
      (picked) => {
        if (!picked?.request.startsWith("export ")) return;
        if (picked.path === "" && !picked.message) {
          dismiss(picked.request);
          return;
        }
        if (picked.writing) {
          const chatId = picked.request.slice("export ".length);
          notify({
            id: picked.request,
            text: t.exporting,
            detail: bytes(picked.written ?? 0),
            cancel: () => chatActions.cancelExport(chatId),
          });
          return;
        }
        notify(
          picked.message
            ? { id: picked.request, text: t.failed.export, detail: picked.message, failed: true }
            : { id: picked.request, text: t.exported, detail: picked.path, isTransient: true },
        );
      },
    ),
  );
  createEffect(
    on(
      () => state.dialogResult,
      (picked) => {
        const isPlan = picked?.request.startsWith("plan ");
        if (!picked || !(isPlan || picked.request.startsWith("image "))) return;
        if (picked.path === "" && !picked.message) return;
        const [saved, failed] = isPlan
          ? [messages.plan.saved, messages.plan.notSaved]
          : [messages.menu.saved, messages.menu.failed.save];
        notify(
          picked.message
            ? { id: picked.request, text: failed, detail: picked.message, failed: true }
            : { id: picked.request, text: saved, detail: picked.path, isTransient: true },
        );
      },
    ),
  );
  createEffect(on(screen, dismissTransient, { defer: true }));
  // The last backup that was announced. When a version with a newer schema first starts, it backs up the database. The
  // notice about the backup is shown only once, even if the page is reloaded.
  const [announcedBackup, setAnnouncedBackup] = createPreference("voxpilot.backup.told", "");
  createEffect(() => {
    const { backup } = state.storage;
    if (!backup || announcedBackup() === backup) return;
    setAnnouncedBackup(backup);
    notify({ id: "backup", text: messages.updates.migrated, detail: backup });
  });
  return (
    <div class="notices" role="status" aria-label={t.notifications}>
      <For each={undoable()}>
        {(chat) => (
          <div class="notice">
            <span class="grow trunc">{t.deleted(titleOf(chat))}</span>
            <UndoButton chat={chat} />
          </div>
        )}
      </For>
      {/* Keyed by ID, so that a notice's buttons aren't replaced when its text changes. */}
      <For each={notices().map(({ id }) => id)}>
        {(id) => {
          const notice = createMemo<Notice>((before) => notices().find((each) => each.id === id) ?? before, {
            id,
            text: "",
          });
          return (
            <div class="notice">
              <div class="grow">
                <p classList={{ "c-bad": notice().failed }}>{notice().text}</p>
                <Show when={notice().detail}>
                  {(detail) => (
                    <p
                      class="subtle wrap-any sel num"
                      classList={{ mono: !notice().failed && !notice().cancel }}
                      aria-hidden={notice().cancel ? "true" : undefined}
                    >
                      {notice().failed || notice().cancel ? detail() : tilde(detail())}
                    </p>
                  )}
                </Show>
              </div>
              <Show
                when={notice().cancel}
                fallback={
                  <>
                    <Show when={notice().mend}>
                      {(mend) => (
                        <Button
                          onClick={() => {
                            mend().run();
                            dismiss(notice().id);
                          }}
                        >
                          {mend().label}
                        </Button>
                      )}
                    </Show>
                    <Show when={!notice().failed && notice().detail}>
                      {(path) => <CopyButton text={path()} label={t.copyPath} look="ghost" />}
                    </Show>
                    <IconButton icon={X} label={t.dismiss} onClick={() => dismiss(notice().id)} />
                  </>
                }
              >
                <CancelButton onCancel={() => notice().cancel?.()} />
              </Show>
            </div>
          );
        }}
      </For>
    </div>
  );
}

/** DeletedChat replaces the visible chat after its deletion, as long as the deletion can be undone. */
export function DeletedChat(props: { chat: Chat; onShowSidebar?: () => void }) {
  let undo: HTMLButtonElement | undefined;
  // The focused element was removed with the chat.
  onMount(() =>
    setTimeout(() => {
      if (document.activeElement === document.body) undo?.focus();
    }),
  );
  return (
    <main class="main" aria-label={titleOf(props.chat)}>
      <header class="bar">
        <Show when={props.onShowSidebar}>{(show) => <ShowSidebar onShow={show()} />}</Show>
      </header>
      <div class="scroll new-scroll">
        <div class="deleted-chat" role="status">
          <h1>{t.deleted(titleOf(props.chat))}</h1>
          <p class="muted">{t.deletedBody}</p>
          <div class="row">
            <UndoButton large ref={(button) => (undo = button)} chat={props.chat} />
            <Button large look="ghost" onClick={() => go({ name: "new" })}>
              {t.newChat}
            </Button>
          </div>
        </div>
      </div>
    </main>
  );
}

/**
 * DeleteQuestion asks the user to confirm the deletion of a chat and to choose whether to delete the
 * agent's own files as well.
 */
export function DeleteQuestion() {
  const state = useStore();
  const [sessions, setSessions] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  createEffect(
    on(chatToDelete, () => {
      setSessions(false);
      setFailure("");
    }),
  );
  const remove = () => {
    const chat = chatToDelete();
    if (!chat) return;
    actions.deleteChat(chat.id, sessions() && !isInUse()).then(
      () => {
        askDelete(undefined);
        // The row or button that opened this dialog might have been removed with the chat.
        setTimeout(() => {
          if (document.activeElement !== document.body) return;
          document.querySelector<HTMLElement>(".deleted-chat button, .chats a[tabindex='0']")?.focus();
        });
      },
      (thrown) => setFailure(thrown.message),
    );
  };
  const title = () => titleOf(state.chats[chatToDelete()?.id ?? ""] ?? chatToDelete());
  const agent = () => select.agentOf(state, chatToDelete()?.id ?? "");
  const why = createUniqueId();
  /** Whether another program has the chat's session open. The session's files then stay. */
  const isInUse = () => state.sessionUses[chatToDelete()?.id ?? ""]?.holder !== undefined;
  return (
    <ConfirmDialog
      open={chatToDelete() !== undefined}
      title={t.deleteTitle}
      body={t.deleteBody(agent())}
      confirm={t.deleteConfirm}
      onConfirm={remove}
      onClose={() => askDelete(undefined)}
    >
      <p class="strong-medium wrap-any">{title()}</p>
      <label class="row check">
        <input
          type="checkbox"
          checked={sessions() && !isInUse()}
          disabled={isInUse()}
          aria-describedby={isInUse() ? why : undefined}
          onChange={(event) => setSessions(event.currentTarget.checked)}
        />
        {t.deleteSessions(agent())}
      </label>
      <Show when={isInUse()}>
        <p id={why} class="muted">
          {t.sessionsInUse}
        </p>
      </Show>
      <Failure text={failure()} class="c-bad" />
    </ConfirmDialog>
  );
}

/** RestartQuestion asks the user to confirm restarting a chat's agent during a turn. */
export function RestartQuestion() {
  const state = useStore();
  const text = messages.inspector.sessions;
  const agent = () => select.agentOf(state, chatToRestart()?.id ?? "");
  return (
    <ConfirmDialog
      open={chatToRestart() !== undefined}
      title={text.restartAgentTitle(agent())}
      body={text.restartAgentBody}
      confirm={text.restartConfirm}
      onConfirm={() => {
        actions.restartAgent(chatToRestart()?.id ?? "");
        closeRestart();
      }}
      onClose={closeRestart}
    />
  );
}
