import type { Translated } from "../translated";
import type { undo as english } from "../undo";

const number = new Intl.NumberFormat("zh-CN");
const files = (n: number) => `${number.format(n)} 个文件`;

export const undo: Translated<typeof english> = {
  button: "撤销本轮的更改",
  buttonName: (n) => `撤销本轮的更改，${files(n)}`,
  undone: "已撤销本轮的更改",
  undoneFiles: (n) => `已撤销本轮的更改，${files(n)}`,
  redone: "已重做本轮的更改。",
  inSummary: (changes) => `${changes}，已撤销`,
  redo: "重做",
  redoName: "重做本轮的更改",
  earlier: (redo, turn, time) =>
    `${turn === "" ? "之前一轮" : `${turn} 那一轮`}的更改已于 ${time} ${redo ? "重做" : "撤销"}`,
  earlierLabel: (redo) => (redo ? "已重做更改" : "已撤销更改"),

  title: (redo) => (redo ? "重做本轮的更改？" : "撤销本轮的更改？"),
  lead: (redo, time) =>
    redo
      ? `文件将恢复到 ${time} 撤销之前的状态。你可以再次撤销。`
      : `文件将恢复到 ${time} 你发送消息之前的状态。对话保留不变，之后可以重做。`,
  close: "关闭",
  checking: "正在检查文件…",
  failed: "无法检查文件。",
  blocked: (redo) => (redo ? "现在无法重做。" : "现在无法撤销。"),
  unavailable: "无法撤销本轮。",
  nothing: "此操作不会更改任何文件。",
  tryAgain: "重试",

  changed: (n) => `${files(n)}之后有改动`,
  changedLines: (n) => `${number.format(n)} 行`,
  keep: "保留当前",
  take: (redo) => (redo ? "重做" : "恢复"),
  merge: "合并",
  compare: "比较",
  compareFile: (path) => `比较 ${path}`,
  comparison: (path) => `${path} 之后的改动`,
  comparisonLead: (redo) => (redo ? "比较撤销后的文件与现在的文件。" : "比较本轮结束时的文件与现在的文件。"),
  keepHint: "文件保持不变。",
  takeHint: "覆盖该文件及其之后的改动。之后可以再恢复它们。",
  mergeHint: "只更改智能体改动过的行，并保留之后的改动。",
  binary: "二进制",

  ready: (redo, n, removed) => {
    const again = redo ? "再次" : "";
    if (removed === n) return `${files(n)}将${again}删除`;
    const changed = `${files(n - removed)}将${redo ? "再次更改" : "恢复"}`;
    return removed === 0 ? changed : `${changed}，${files(removed)}将${again}删除`;
  },
  restores: (redo) => (redo ? "再次更改" : "恢复"),
  removes: (redo) => (redo ? "再次删除" : "删除（它是新建的）"),
  returns: "重新创建",
  moves: (redo, path) => (redo ? `移到 ${path}` : `移回 ${path}`),
  showMore: (n) => `再显示 ${number.format(n)} 个`,
  unlisted: (n) => `另有 ${files(n)}`,
  unlistedKept: (n) => `另有 ${files(n)}，保持不变`,

  rest: (redo) => (redo ? "不会重做" : "不会撤销"),
  restNote: "这些命令更改的文件仍会恢复。",
  meanwhile: (n) =>
    `其中 ${number.format(n)} 个文件更改时有命令正在运行。如果你当时编辑过，你的编辑也会被撤销。`,
  edgesOnly:
    "此文件夹较大，因此 VoxPilot 只在本轮前后保存了其中的文件。如果 VoxPilot 在本轮期间退出过，其中一些更改可能是你自己做的。",
  confirm: (redo, n) => `${redo ? "重做" : "撤销"}对 ${files(n)}的更改`,
  allKept: "所有文件保持不变。",
  undoFailed: "无法撤销更改。",
  redoFailed: "无法重做更改。",

  none: "上一轮没有更改任何文件。",
  running: "智能体仍在运行。请等待它完成，或先停止它。",
  alreadyUndone: "上一轮的更改已撤销。要重做，请选择该轮下方的“重做”。",
};
