import type { search as english } from "../search";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("zh-CN");

export const search: Translated<typeof english> = {
  title: "搜索",
  field: "搜索所有对话",
  placeholder: "搜索字词、“短语”或文件",
  clear: "清除搜索",
  results: "搜索结果",
  preview: "预览",
  count: "结果数",
  found: (results, chats) => `${number.format(chats)} 个对话中有 ${number.format(results)} 个结果`,
  foundSoFar: (results, isMore) =>
    isMore ? `超过 ${number.format(results)} 个结果` : `${number.format(results)} 个结果`,
  /** Number of results in one chat; isMore means that there are more. */
  inChat: (n, isMore) => `${number.format(n)}${isMore ? "+" : ""}`,
  searching: "正在搜索…",
  none: (query) => `没有内容匹配“${query}”。请减少字词或更改筛选条件。`,
  clearFilters: "清除筛选",
  start: "搜索所有对话中的消息、命令和文件。",
  indexing: "仍在为部分对话编制索引。可能还会有更多结果。",
  failed: "搜索失败。",
  tryAgain: "重试",
  folder: "文件夹",
  allFolders: "所有文件夹",
  from: "来自",
  authors: { anyone: "任何人", you: "你", voxpilot: "VoxPilot", copilot: "Copilot 会话" },
  kind: "类型",
  kinds: {
    everything: "全部内容",
    messages: "你的消息",
    answers: "回答",
    commands: "命令",
    files: "文件",
    tools: "其他工具",
  },
  date: "日期",
  dates: {
    any: "任何时间",
    day: "今天",
    week: "最近 7 天",
    month: "最近 30 天",
    year: "最近一年",
  },
  authorLabels: {
    title: "标题",
    user: "你",
    message: "VoxPilot",
    note: "说明",
    tool: "工具",
    block: "Copilot",
  },
  command: "命令",
  more: (n) => `显示此对话中的另外 ${number.format(n)} 个`,
  moreUncounted: "显示此对话中的更多结果",
  today: (time: string) => `今天 ${time}`,
  openChat: "打开对话",
  nextResult: "下一个结果",
  openHere: "在此消息处打开",
  notShown: "无法预览此结果。打开对话即可查看。",
};
