// Chinese strings of drafted commit messages on the Review screen.

import type { reviewDraft as english } from "../reviewDraft";
import type { Translated } from "../translated";

export const reviewDraft: Translated<typeof english> = {
  draft: (name) => `用 ${name} 起草`,
  hint: (name) => `用 ${name} 起草说明。VoxPilot 会把更改发送给模型，可能消耗请求次数。`,
  running: (name) => `${name} 正在起草…`,
  cancel: "取消",
  drafted: (model, cost) => `由 ${model} 起草 · ${cost}`,
  noCost: "未报告费用",
  use: "使用草稿",
  dismiss: "丢弃草稿",
  dismissFailure: "关闭",
  restore: "恢复之前的文字",
  failed: "无法起草提交说明。",
  cancelledAnnounced: "已取消。说明未更改。",
  usedAnnounced: "草稿已填入说明框。",
  readyAnnounced: "草稿已完成。你的文字未更改。",
};
