import type { goBack as english } from "../goback";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("zh-CN");
const files = (n: number) => `${number.format(n)} 个文件`;
const below = (n: number) =>
  n === 0 ? "此消息及其回答将被搁置" : `此消息及其下方的 ${number.format(n)} 条消息将被搁置`;

export const goBack: Translated<typeof english> = {
  tools: "消息操作",
  button: "回到这里",
  both: "回到这里",
  bothHint: (n, messages) => (n > 0 ? `${files(n)}将恢复，${below(messages)}` : below(messages)),
  files: "仅文件",
  filesHint: (n) => `${files(n)}将恢复，对话保持不变`,
  changedHint: (n) => `${files(n)}后来又有更改。请${n === 1 ? "" : "逐个"}选择如何处理。`,
  noFiles: "此消息之后没有文件更改",
  conversation: "仅对话",
  conversationHint: (messages) => `${below(messages)}，文件保持不变`,
  newChat: "从这里开始新对话",
  newChatHint: "此对话不会有任何变化",
  checking: "正在检查文件…",
  note: "在发送下一条消息之前，你可以把一切找回来。",
  recap: "智能体随后会从上方消息的摘要开始。",

  sheetTitle: "回到这里？",
  sheetLead: (time, messages, isSent) =>
    `${time === "" ? "此消息之后没有文件更改。" : `文件将恢复到 ${time} 你发送消息之前的状态。`}${
      messages > 0 ? `${number.format(messages)} 条消息将被搁置。` : "对话保留不变。"
    }${isSent ? "" : "在发送下一条消息之前，你可以把一切找回来。"}`,
  blocked: "现在无法回退。",
  confirm: (n) => `回退并恢复 ${files(n)}`,
  confirmConversation: "回退",
  comparisonLead: "比较智能体留下的文件与现在的文件。",
  sides: (path) => `${path} 的两个版本`,
  sidesLead: "比较现在的文件与发送消息之前的文件。",

  wentLabel: (time) => `已回到 ${time}`,
  went: (time, n, messages) => {
    const facts = [
      n > 0 ? `${files(n)}已恢复` : "",
      messages > 0 ? `${number.format(messages)} 条消息已搁置` : "",
    ];
    return [`已回到 ${time}`, ...facts].filter((part) => part !== "").join("，");
  },
  bringBack: "找回",
  bringBackName: "找回全部",
  bringMessages: "找回消息",
  wentSwept: (label, messages) =>
    messages > 0
      ? `${label}。只能找回消息，因为文件副本已被删除。`
      : `${label}。文件无法找回，因为其副本已被删除。`,
  show: "显示",
  showName: "显示搁置的消息",
  broughtBack: "已找回。",

  asideTitle: "搁置的消息",
  asideLead: "它们不再属于此对话，智能体也不知道它们。",
  asideFailed: "无法加载这些消息。",
  asideEmpty: "这些消息已重新属于此对话。",
  loading: "正在加载…",
  showEarlier: "显示前面的消息",
  tag: "已搁置",
  tryAgain: "重试",
  close: "关闭",

  version: (n, all) => `第 ${n} 个版本，共 ${all} 个`,
  versionShort: (n, all) => `${n}/${all}`,
  previous: "上一个版本",
  next: "下一个版本",
  switched: (n, all) => `第 ${n} 个版本，共 ${all} 个。文件保持不变。`,

  editing: (time) => `正在编辑你 ${time} 的消息。发送后，原消息及其后的所有消息将被搁置。`,
  recapAfterEdit: "智能体随后会从更早消息的摘要开始。",
  cancelEditing: "取消",
  cancelEditingName: "取消编辑",

  again: "用其他模型重试",
  againTitle: "用其他模型重试？",
  confirmAgain: (n) => (n > 0 ? `恢复 ${files(n)}并重试` : "重试"),
  filesStay: "文件保持不变。",

  failed: {
    goBack: "无法回退。",
    bringBack: "无法找回消息。",
    newChat: "无法从这里开始对话。",
    version: "无法切换到其他版本。",
    again: "无法用其他模型重试。",
    text: "无法加载该消息。",
  },
};
