// Turns pasted, dropped or picked items into attachments: images by their data, files by their path.

import { batch, createSignal, onCleanup, onMount } from "solid-js";
import { dropsPaths, onFileDrop, toAppError } from "../../bridge";
import { messages } from "../../i18n";
import { carriesFiles } from "../../lib/dragAndDrop";
import { bytes } from "../../lib/format";
import { actions } from "../../state/actions";
import { type Attachment, MaxAttachments, MaxImageBytes } from "../../state/types";

const t = messages.composer.attachments;

/** Pending is an item whose data is being read. */
export interface Pending {
  id: number;
  name: string;
}

export interface AttachOptions {
  /** ID of the chat that receives the attachments, or "" before the chat is created. */
  chatId: string;
  /** Returns the number of attachments of the message. */
  count: () => number;
  attach: (attachment: Attachment) => void;
  /** Reports whether the model accepts images; true if that is unknown. */
  takesImages: () => boolean;
  who: () => string;
  /** Called when an item couldn't be read. */
  onFailed: () => void;
  /** Reports whether the message can't be changed for now. */
  isReadOnly?: () => boolean;
}

/** inBase64 returns the content of a file, encoded as base64. */
function inBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error);
    reader.onload = () => {
      const url = String(reader.result);
      resolve(url.slice(url.indexOf(",") + 1));
    };
    reader.readAsDataURL(file);
  });
}

/**
 * pathsIn returns the paths of the files in a text/uri-list. It returns "" for each address that isn't a valid file
 * URL, and a UNC path for a file URL with a host.
 */
export function pathsIn(list: string): string[] {
  return list.split(/\r?\n/).flatMap((line) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    if (!/^file:\/\//i.test(line)) return [""];
    try {
      const { hostname, pathname } = new URL(line);
      const path = decodeURIComponent(pathname).replace(/^\/([A-Za-z]:)/, "$1");
      return [hostname === "" ? path : `//${hostname}${path}`];
    } catch {
      return [""];
    }
  });
}

/** createAttach attaches pasted, dropped and selected items to a message. */
export function createAttach(props: AttachOptions) {
  const [pending, setPending] = createSignal<Pending[]>([]);
  const [failure, setFailure] = createSignal("");
  const [dragging, setDragging] = createSignal(false);
  const [dropCount, setDropCount] = createSignal(0);
  let ids = 0;
  let pasted = 0;

  const hasRoom = () => {
    if (props.count() + pending().length < MaxAttachments) return true;
    setFailure(t.tooMany(MaxAttachments));
    return false;
  };
  const take = async (name: string, attach: () => ReturnType<typeof actions.attachFile>) => {
    if (!hasRoom()) return;
    const id = ++ids;
    setPending((all) => [...all, { id, name }]);
    try {
      props.attach(await attach());
    } catch (thrown) {
      props.onFailed();
      setFailure(thrown instanceof DOMException ? t.unreadable(name) : toAppError(thrown).message);
    }
    setPending((all) => all.filter((one) => one.id !== id));
  };

  /** Attaches files by path. A path is "" if the file isn't on this computer. */
  const addPaths = (paths: readonly string[]) => {
    setFailure(paths.includes("") ? t.notOnThisComputer : "");
    for (const path of paths) {
      if (path === "") continue;
      const name =
        path
          .replace(/[\\/]+$/, "")
          .split(/[\\/]/)
          .at(-1) || path;
      take(name, () => actions.attachFile(props.chatId, path));
    }
  };
  const addFiles = (files: readonly File[], named: (file: File) => string) => {
    setFailure("");
    for (const file of files) {
      const name = named(file);
      if (!file.type.startsWith("image/")) setFailure(t.notAnImage(name));
      else if (!props.takesImages()) setFailure(t.noImages(props.who()));
      else if (file.size > MaxImageBytes) {
        setFailure(t.tooLarge(name, bytes(file.size), bytes(MaxImageBytes)));
      } else {
        take(name, async () => actions.attachImage(props.chatId, name, await inBase64(file)));
      }
    }
  };

  /** Attaches clipboard contents that the page has no access to. */
  const addCopied = async () => {
    setFailure("");
    if (!hasRoom()) return;
    const id = ++ids;
    setPending((all) => [...all, { id, name: t.clipboard }]);
    let copied: Attachment[] = [];
    try {
      copied = await actions.attachCopied(props.chatId, t.pasted(pasted + 1, "png"));
    } catch (thrown) {
      props.onFailed();
      setFailure(toAppError(thrown).message);
    }
    // All changes are made in one batch, so that a message waiting for its attachments is sent with all of them.
    batch(() => {
      setPending((all) => all.filter((one) => one.id !== id));
      const files = copied.filter(({ kind }) => kind === "file");
      if (files.length > 0) addPaths(files.map(({ path }) => path ?? ""));
      for (const one of copied) if (one.kind !== "file" && ++pasted) props.attach(one);
    });
  };

  /** Attaches non-text clipboard data, and returns whether the field must ignore the paste. */
  const paste = (data: DataTransfer): boolean => {
    const paths = pathsIn(data.getData("text/uri-list"));
    if (paths.some((path) => path !== "")) {
      addPaths(paths);
      return true;
    }
    // Text takes precedence: some programs that copy text also offer an image of it.
    const files = [...data.files];
    if (data.getData("text/plain") !== "") return false;
    if (files.length === 0) {
      addCopied();
      // If the clipboard contains files, the field would insert their names. Otherwise it may insert text that
      // the page has no access to.
      return carriesFiles(data);
    }
    const ending = (file: File) => (file.type.split("/")[1] ?? "png").replace(/\+.*$/, "");
    // Screenshots are always named image.png.
    addFiles(files, (file) =>
      /^image\.\w+$/.test(file.name) || file.name === "" ? t.pasted(++pasted, ending(file)) : file.name,
    );
    return true;
  };

  // Whether something other than files is being dragged over the window. Wails remembers files that were dragged over
  // the window and away again, and reports them when something else is dropped.
  let others = false;
  const onDragOver = (event: DragEvent) => {
    others = !carriesFiles(event.dataTransfer);
    if (others) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = props.isReadOnly?.() ? "none" : "copy";
    if (props.isReadOnly?.()) return;
    setDragging(true);
  };
  const onDragLeave = (event: DragEvent) => {
    // Without a related target, the pointer has left the window.
    if (!event.relatedTarget) setDragging(false);
  };
  const onDrop = (event: DragEvent) => {
    setDragging(false);
    others = !carriesFiles(event.dataTransfer);
    if (others) return;
    event.preventDefault();
    if (dropsPaths() || props.isReadOnly?.()) return;
    addFiles([...(event.dataTransfer?.files ?? [])], (file) => file.name);
    setDropCount((n) => n + 1);
  };
  onMount(() => {
    const off = onFileDrop((paths) => {
      setDragging(false);
      if (others || props.isReadOnly?.()) return;
      addPaths(paths);
      setDropCount((n) => n + 1);
    });
    window.addEventListener("dragover", onDragOver, true);
    window.addEventListener("dragleave", onDragLeave);
    window.addEventListener("drop", onDrop, true);
    onCleanup(() => {
      off();
      window.removeEventListener("dragover", onDragOver, true);
      window.removeEventListener("dragleave", onDragLeave);
      window.removeEventListener("drop", onDrop, true);
    });
  });

  return {
    attach: props.attach,
    takesImages: props.takesImages,
    pending,
    failure,
    /**
     * Increases when files are dropped: the field is then focused, because WebKit takes its focus during a
     * drag.
     */
    dropCount,
    dragging,
    clear: () => setFailure(""),
    paste,
    /** Shows the system's file dialog and attaches the selected file. */
    pick: () =>
      actions.pickFile().then(
        (path) => path !== "" && addPaths([path]),
        (thrown) => setFailure(toAppError(thrown).message),
      ),
  };
}

export type Attach = ReturnType<typeof createAttach>;
