import { count } from "../../lib/format";
import type { question as english } from "../question";
import type { Translated } from "../translated";

export const question: Translated<typeof english> = {
  label: (text) => `问题：${text}`,
  form: (text) => `表单：${text}`,
  askedBy: (who) => `${who} 提问`,
  suggested: "建议",
  answers: "回答",
  several: "可以选择多项。",
  other: "其他…",
  ownAnswer: "你自己的回答",
  yourAnswer: "你的回答",
  answer: "回答",
  send: "发送回答",
  skip: "跳过",
  optional: "可选",
  choose: "请选择…",
  range: (min, max) => {
    if (min !== "" && max !== "") return `${min} 到 ${max}`;
    return min !== "" ? `至少 ${min}` : `至多 ${max}`;
  },
  never: (who) => `${who} 会收到这些回答的原文。切勿在此输入密码。`,
  previous: "上一个问题",
  next: "下一个问题",
  step: (n, of) => `第 ${count(n)} 个，共 ${count(of)} 个`,
  announce: (who, text) => `${who} 提问：${text}`,
  asks: (text) => `提问：${text}`,
  toAsk: (text) => `提问：${text}`,
  closed: "此问题在你回答之前已关闭。你仍可以在消息中回答。",
  away: "你没有及时回答，此问题已关闭。你仍可以在消息中回答。",
  lost: "这一轮被中断，你的回答可能没有送达。你可以在消息中发送。",
  inMessage: "在消息中回答",
  message: (text, answer) => `你问过：${text}\n我的回答：${answer}`,
  nothing: "未填写",
  yes: "是",
  no: "否",
};
