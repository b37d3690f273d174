// Chinese strings of the pull request on the Review screen.

import type { reviewPull as english } from "../reviewPull";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("zh-CN");
const checks = (n: number) => `${number.format(n)} 项检查`;
const pushing = (n: number, remote: string) =>
  n === 0
    ? `VoxPilot 会先将分支推送到 ${remote}。`
    : `VoxPilot 会先将 ${number.format(n)} 个提交推送到 ${remote}。`;

export const reviewPull: Translated<typeof english> = {
  sheet: "创建拉取请求",
  close: "关闭",
  cancel: "取消",
  lead: (n, remote, host, login) =>
    `${remote === "" ? "" : pushing(n, remote)}拉取请求将${login === "" ? "" : `以 ${login} 的身份`}在 ${host} 上创建。`,
  leadCompare: (n, remote, host) =>
    remote === ""
      ? `${host} 的比较页面会在浏览器中打开。`
      : `${pushing(n, remote)}随后会在浏览器中打开 ${host} 的比较页面。`,
  note: "不会向 GitHub 发送其他内容。",
  checking: "正在检查分支…",
  cannot: "VoxPilot 现在无法创建拉取请求",
  loadFailed: "无法检查分支",
  already: (n) => `此分支已有拉取请求 #${n}`,
  alreadyBody: "推送后，新的提交会加入其中。",
  show: "在 GitHub 上查看",
  tryAgain: "重试",

  into: "合并到",
  defaultBranch: "默认分支",
  from: "来自",
  title: "标题",
  description: "描述",
  suggested: (commits, template, chat) => {
    if (commits === 0 && !chat) return "来自仓库的模板";
    const from = [commits === 0 ? "" : "提交", template ? "模板" : "", chat ? "对话" : ""].filter(
      (part) => part !== "",
    );
    const last = from.pop() ?? "";
    return `根据${from.length > 0 ? `${from.join("、")}和${last}` : last}建议`;
  },
  noSuggestion: "没有建议",
  suggest: "建议另一条描述",
  yourText: "恢复你的文字",
  draft: "创建为草稿",
  summary: "添加此对话的摘要",

  pushAndOpen: "推送并创建",
  pushAndOpenName: "推送并创建拉取请求",
  open: "创建",
  openName: "创建拉取请求",
  pushAndCompare: "推送并打开比较页面",
  compare: "打开比较页面",
  noTitle: "请输入拉取请求的标题。",
  failed: "无法创建拉取请求。",
  cancelled: "已取消。",
  pushedOnly: (remote) => `分支已推送到 ${remote}，但拉取请求未创建。`,
  openedAnnounced: "拉取请求已创建。",

  number: (n) => `拉取请求 #${n}`,
  states: { open: "开放", draft: "草稿", merged: "已合并", closed: "已关闭" },
  passed: (n) => `${checks(n)}通过`,
  failedChecks: (n) => `${checks(n)}失败`,
  running: (n) => `${checks(n)}正在运行`,
  skipped: (n) => `${checks(n)}已跳过`,
  checks: (results) => `检查：${results}`,
  showChecks: "显示检查",
  openCheck: "在浏览器中打开检查",
  checkPassed: "通过",
  checkFailed: "失败",
  checkRunning: "正在运行",
  checkSkipped: "已跳过",
  reload: "重新加载拉取请求",
};
