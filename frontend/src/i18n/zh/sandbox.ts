// Chinese strings for the sandbox.

import { count } from "../../lib/format";
import type { sandbox as english } from "../sandbox";
import type { Translated } from "../translated";

const and = (names: string[]) =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join("、")}和 ${names.at(-1)}`;

export const sandbox: Translated<typeof english> = {
  named: (mode) => `${mode}，沙盒已开启`,
  run: "在沙盒中运行命令",
  recommended: "推荐。命令无法读取你的机密，只能写入此文件夹和临时文件夹。",
  recommendedAgent: (who) => `推荐。${who} 无法读取你的机密，只能写入此文件夹和临时文件夹。`,
  turnedOn: "沙盒已开启",
  turnedOff: "沙盒已关闭",
  mayWrite: "可写入",
  write: { temp: "此文件夹和临时文件夹", folder: "仅此文件夹", more: "更多…" },
  network: "网络",
  networks: { off: "关闭", sites: "部分站点", on: "开启" },
  sites: (names) => and(names),
  sitesBefore: (names) => `${names.join("、")}和`,
  sitesMore: (n) => `另外 ${n} 个`,
  noSites: "还没有站点。",
  findingSites: "正在查找包管理器的站点…",
  addSites: "添加站点",
  modeBodies: {
    accept_edits: "允许编辑文件夹中的文件和在沙盒中运行命令。其余都会询问。",
    bypass: "命令在沙盒中运行。仅在请求不明确、涉及受保护的文件或文件夹外的文件时询问。",
    bypassOutside: "命令在沙盒中运行。仅在请求不明确或涉及受保护的文件时询问。",
  },
  allowBody: (who, askOutside) =>
    `${who} 将直接编辑文件、在沙盒中运行命令并打开网址，不再询问。你的“从不允许”规则仍然有效。${
      askOutside
        ? "不明确的请求、受保护的文件和文件夹之外的文件仍会询问。"
        : "不明确的请求和受保护的文件仍会询问。"
    }你可以随时切换回“先询问”。`,
  leave: {
    title: "关闭沙盒？",
    body: (who) => `此对话允许一切操作。关闭沙盒后，${who} 的命令将以你在此电脑上的权限运行，不再询问。`,
    confirm: "关闭",
  },
  whole: {
    label: (who) => `包括 ${who} 本身`,
    body: (who) =>
      `${who} 自己的工具和此文件夹的钩子也留在沙盒中。${who} 会在你发送下一条消息时重新启动，并保留完整的网络访问，因为它需要连接模型。`,
  },
  runAgent: (who) => `在沙盒中运行 ${who}`,
  agentBody: (who) => `${who} 及其启动的一切都留在沙盒中。${who} 保留完整的网络访问，因为它需要连接模型。`,
  unavailable: "此电脑上无法使用沙盒。",
  notFor: (who) => `${who} 不由 VoxPilot 启动，因此无法在沙盒中运行。`,
  refused: (problem) => `此对话中无法运行命令。${problem}`,
  checking: "正在测试沙盒…",
  openSettings: "沙盒设置",

  card: {
    inside: "在沙盒中运行",
    leaves: "在沙盒外运行？",
    leavesFact: "如果允许，命令会在沙盒外以你的全部权限运行。",
    allowOutside: "允许在沙盒外运行一次",
    blocked: (host) => `已阻止与 ${host} 的连接`,
    tried: (who) => `${who}`,
    triedIn: (folder) => `在 ${folder} 中的命令已暂停，等待你决定`,
    site: "站点",
    allowed: "允许的站点",
    allowedSites: (names, more) =>
      names.length === 0 ? "无" : more > 0 ? `${names.join("、")}和另外 ${more} 个站点` : and(names),
    keep: "保持阻止",
    allowSite: "允许此站点",
    siteFact: (who) =>
      `选择“允许此站点”后，此命令会继续运行，此对话中的所有命令都可以连接该站点。选择“保持阻止”后，${who} 会得知连接被阻止，然后继续工作。`,
    runsOutside: (command) => `在沙盒外运行 ${command}`,
    connects: (host) => `连接 ${host}`,
    toConnect: (host) => `连接 ${host}`,
    toRunOutside: (command) => `在沙盒外运行 ${command}`,
    toLeave: "在沙盒外运行命令",
  },

  row: {
    inside: "在沙盒中",
    blocked: (host, more) => (more > 0 ? `已阻止：${host} 和另外 ${more} 个` : `已阻止：${host}`),
    blockedAll: (hosts) => `沙盒阻止了 ${and(hosts)}。`,
    runOutside: "在沙盒外运行…",
  },

  firstRun: {
    label: "在沙盒中运行命令",
    fact: "推荐。命令无法读取你的 SSH 密钥等机密，只能写入此文件夹和临时文件夹。",
  },

  settings: {
    lead: "在沙盒中，Copilot 的命令与此电脑的其余部分隔离。文件编辑经过 VoxPilot，并遵循“权限”设置。",
    here: "此电脑上的沙盒",
    hereFact: (program) => `${program}。VoxPilot 启动时测试。`,
    states: {
      checking: "正在测试…",
      ready: "就绪",
      limited: "受限（在对话中不可用）",
      unavailable: "不可用",
    },
    test: "测试",
    fix: "要解决此问题，请运行：",
    copyFix: "复制命令",
    limits: "此电脑上沙盒的局限",
    newChats: "在新对话中使用沙盒",
    newChatsFact: "你可以在每个对话的输入框下方更改。",
    whenBlocked: "有操作被阻止时",
    whenBlockedChoices: { ask: "询问我", keep: "保持阻止" },
    files: "文件",
    write: "可写入",
    writeFact: "对话的文件夹或工作树，以及临时文件夹。如果你的构建会写到别处，请添加。",
    hidden: "隐藏",
    hiddenFact: "命令完全无法读取这些位置。",
    restore: "恢复默认值",
    environment: "环境",
    environmentFact: "去掉看起来像机密的变量，例如 *_TOKEN、*_KEY 和 *_SECRET。",
    leaveOut: "去掉机密",
    network: "网络",
    reach: "命令可访问",
    reachChoices: { off: "无", sites: "部分站点", on: "全部" },
    sites: "允许的站点",
    sitesFact: "来自包管理器的设置，或由你添加。",
    usedBy: (tools) => `由 ${and(tools)} 使用`,
    addSite: "添加站点",
    badSite: "请输入主机名，例如 example.com；用 *.example.com 表示其所有子域名。",
    listed: (name) => `${name} 已在列表中。`,
    ports: "本地端口",
    portsFact: "命令可以访问的本机服务器，例如测试数据库。",
    addPort: "添加端口",
    badPort: "请输入 1 到 65535 之间的数字。",
    showAll: (n) => `显示全部 ${count(n)} 个`,
    add: "添加…",
    addTo: (list) => `添加到“${list}”…`,
    remove: (name) => `移除 ${name}`,
    removed: (name) => `已移除 ${name}`,
  },
};
