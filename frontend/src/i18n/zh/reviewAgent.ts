// Chinese strings of the review by the chat's agent.

import type { reviewAgent as english } from "../reviewAgent";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("zh-CN");
const comments = (n: number) => `${number.format(n)} 条评论`;

export const reviewAgent: Translated<typeof english> = {
  ask: (agent) => `请 ${agent} 审阅…`,

  sheet: (agent) => `请 ${agent} 审阅`,
  lead: (agent) => `${agent} 在单独的会话中阅读更改并建议评论。由你决定发送哪些评论。`,
  model: "模型",
  sameModel: "与对话相同",
  focus: "关注点（可选）",
  focusPlaceholder: "例如错误处理和缺少的测试",
  start: "开始审阅",
  cancel: "取消",
  close: "关闭",

  region: "建议的评论",
  running: (agent) => `${agent} 正在审阅更改…`,
  waiting: (agent) => `${agent} 的审阅正在对话中等待你。`,
  stop: "停止",
  stopName: "停止审阅",
  showInChat: "在对话中显示",
  dismissNote: "关闭此提示",
  suggests: (agent, n) => `${agent} 建议了 ${comments(n)}`,
  others: (n) => `${comments(n)}无法添加，可在对话中查看。`,
  nothing: (agent) => `${agent} 没有要评论的内容。`,
  nothingNew: (agent) => `${agent} 没有新的评论。`,
  unclear: (agent) => `VoxPilot 在 ${agent} 的回答中没有找到评论。`,
  failed: "审阅失败。",
  stopped: "审阅已停止。",
  next: "下一条",
  nextName: "下一条建议",
  acceptAll: "全部接受",
  dismissAll: "全部忽略",

  name: (lines) => `建议：${lines}`,
  outdatedName: "对已更改行的建议",
  tag: "建议",
  accept: "接受",
  dismiss: "忽略",
  acceptedAnnounced: (n) => `已接受 ${comments(n)}`,
  dismissedAnnounced: (n) => `已忽略 ${comments(n)}`,
};
