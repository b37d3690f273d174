// Chinese strings for the quick prompt.

import type { quick as english } from "../quick";
import type { Translated } from "../translated";

export const quick: Translated<typeof english> = {
  title: "快速输入",
  message: "消息",
  placeholder: "要改什么，或想问什么",
  sendTo: "发送到",
  newChat: { before: "在 ", after: " 中新建对话" },
  states: {
    running: "正在运行，消息将加入队列",
    waiting: "需要你处理，消息将加入队列",
    signin: "需要登录",
    trust: "等待你信任其文件夹",
    crashed: "意外停止",
    failed: "失败",
    unread: "新回复",
  },
  model: "模型",
  choose: "选择",
  close: "关闭",
  send: "发送",
  none: "还没有对话。点“发送”会带着这段文字打开 VoxPilot。",
};
