import { type Cause, type ConnectionState, TestedCLIVersion } from "../../state/types";
import type { common as englishCommon, shell as englishShell } from "../shell";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("zh-CN");

export const common: Translated<typeof englishCommon> = {
  /** Placeholders for an empty field: an example, and the default. */
  example: (value) => `例如 ${value}`,
  byDefault: (value) => `默认：${value}`,
  sentences: (...parts) => parts.filter((part) => part !== "").join(""),
  noted: (what, note) => (note === "" ? what : `${what}。${note}`),
  save: "保存",
  app: "VoxPilot",
  cancel: "取消",
  copied: "已复制",
  copyDetails: "复制详情",
  checkAgain: "重新检查",
  chooseFile: "选择文件…",
  chooseFolder: "选择文件夹…",
  copyCommand: "复制命令",
  copilot: "GitHub Copilot",
  practice: "练习",
  removedProvider: "已移除的模型",
  installCommand: `npm install -g @github/copilot@${TestedCLIVersion}`,
  updateCommand: "copilot update",
  loginCommand: "copilot login",
};

const stateNames: Record<ConnectionState, string> = {
  idle: "未运行",
  checking: "正在启动…",
  starting: "正在启动…",
  restoring: "正在恢复…",
  ready: "已连接",
  waiting: "正在重新连接…",
  needs_login: "需要登录",
  needs_trust: "需要信任",
  failed: "已停止",
};

const causes = (who: string): Record<Cause, string> => ({
  "": "",
  cli_missing: "未找到 Copilot CLI。",
  cli_too_old: "Copilot CLI 版本过旧。",
  folder_gone: "此对话的文件夹已不存在。",
  untrusted: `${who} 未启动，因为此文件夹中的文件可以运行代码，而你尚未信任它。`,
  not_signed_in: `${who} 需要你登录。`,
  no_access: `${who} 未接受此登录。`,
  locked: "系统钥匙串已锁定。",
  offline: "你处于离线状态。",
  exited: `${who} 意外停止。`,
  exited_start: `${who} 启动后立即退出。`,
  no_answer: `${who} 未及时响应。`,
  line_too_long: `${who} 发送的消息过大，无法读取。`,
  spawn: `系统无法启动 ${who}。`,
  stuck: `${who} 已不再接受输入。`,
  provider: "此对话的模型或智能体已不在设置中。",
  no_sandbox: `${who} 未启动，因为它无法在沙盒中运行。`,
  unreachable: "无法通过其地址连接智能体。",
  idle: `VoxPilot 因 ${who} 空闲而停止了它。发送下一条消息时会重新启动。`,
  stopped: `你停止了 ${who}。发送下一条消息时会重新启动。`,
});

export const shell: Translated<typeof englishShell> = {
  switcher: {
    title: "最近的对话",
    at: (title, at, of) => `${title}，第 ${at} 个，共 ${of} 个`,
  },
  quit: {
    title: (n) => `${number.format(n)} 个对话仍在运行。仍要退出？`,
    body: "正在运行的智能体会停止。下次打开 VoxPilot 时可以继续它们的会话。",
    confirm: "退出",
    keep: "继续运行",
  },
  sidebar: "对话",
  newChat: "新对话",
  newChatIn: (folder) => `在 ${folder} 中新建对话`,
  chatsIn: (n) => `${number.format(n)} 个对话`,
  hideSidebar: "隐藏侧边栏",
  showSidebar: "显示侧边栏",
  resizeSidebar: "侧边栏宽度",
  settings: "设置",
  noChats: "选择一个文件夹，然后提出更改。",
  cliFoot: (cli) => {
    switch (cli.state) {
      case "found":
        return `Copilot CLI ${cli.version ?? ""}`.trim();
      case "missing":
        return "未找到 Copilot CLI";
      case "too_old":
        return "Copilot CLI 版本过旧";
      case "broken":
        return "Copilot CLI 无法启动";
      default:
        return "正在查找 Copilot CLI…";
    }
  },
  states: {
    attn: "需要你处理",
    failed: "失败",
    running: "运行中",
    unread: "新回复",
    idle: "",
  },
  chatLabel: (title, state, practice, pinned) =>
    [title, practice ? "练习" : "", pinned ? "已置顶" : "", state].filter((s) => s !== "").join("，"),
  untitled: "新对话",
  signInToContinue: "登录以继续",
  waitsForTrust: "信任此文件夹以继续",
  wantsTo: (what) => `想要：${what}`,
  interrupted: "已中断",
  jump: (n) => `另有 ${number.format(n)} 个对话需要你处理`,
  search: "搜索",
  rename: "重命名",
  renameLabel: "对话标题",
  pin: "置顶",
  unpin: "取消置顶",
  archive: "归档",
  unarchive: "取消归档",
  archived: "已归档",
  delete: "删除…",
  chooseEditor: "选择编辑器",
  copyFolder: "复制文件夹路径",
  copyResume: "复制恢复命令",
  resumeCopied: "已复制恢复命令。请在终端中粘贴，以便在那里继续。",
  openFolder: "打开文件夹",
  locateFolder: "定位文件夹…",
  continueInNewChat: "用摘要新建对话",
  exportAs: {
    markdown: "导出为 Markdown…",
    html: "导出为 HTML…",
    json: "导出为 JSON…",
    copilot: "导出给 Copilot CLI…",
  },
  exported: "对话已导出。",
  exporting: "正在导出…",
  cancelExport: "取消",
  failed: {
    navigation: "无法完成该操作。",
    rename: "无法重命名对话。",
    pin: "无法置顶或取消置顶对话。",
    archive: "无法归档或取消归档对话。",
    restore: "无法撤销删除。",
    continueInNewChat: "无法创建新对话。",
    export: "无法导出对话。",
    cancelExport: "无法取消导出。",
    copy: "无法复制路径。",
    copyResume: "无法复制恢复命令。",
    openFolder: "无法打开文件夹。",
    openFile: "无法打开文件。",
    locate: "无法更改文件夹。",
  },
  notifications: "通知",
  dismiss: "关闭",
  copyPath: "复制路径",
  filter: {
    open: "筛选对话",
    field: "按标题或文件夹筛选对话",
    clear: "清除筛选",
    none: (query) => `没有对话匹配“${query}”。`,
    searchAll: "搜索所有对话",
    found: (n) => `${number.format(n)} 个对话`,
  },
  saveProtocol: "保存协议日志…",
  actions: "对话操作",
  deleteTitle: "删除此对话？",
  deleteBody: (who) => `其中的消息会从此电脑上移除。${who} 更改过的文件保持不变。`,
  deleteConfirm: "删除",
  sessionsInUse: "其他程序打开会话期间，这些文件会保留。",
  deleteSessions: (who) => `同时删除 ${who} 的会话文件`,
  deleted: (title) => `“${title}”已删除。`,
  notDeleted: (title: string) => `“${title}”尚未完全删除。`,
  deletedBody: "其中的消息将在几秒后永久删除。",
  undo: "撤销",
  practiceTag: "练习",
  connection: {
    label: (state) => `连接：${state}`,
    title: "连接",
    state: (state) => stateNames[state],
    cause: (cause, who) => causes(who)[cause],
    answeredBy: "回答方",
    program: "程序",
    version: "版本",
    process: "进程",
    offline: "离线",
    account: "账户",
    signIn: "登录",
    lastCheck: "上次检查",
    checkedFact: (ago, result) => `${ago}，${result}`,
    notChecked: "VoxPilot 未检查",
    exitedWith: "退出状态",
    exitCode: (code) => `退出码 ${code}`,
    signal: (signal) => `信号 ${signal}`,
    stderr: "最后的输出",
    nextTry: "下次尝试",
    nextTryFact: (seconds, attempt, max) => `${seconds}后，第 ${attempt} 次，共 ${max} 次`,
    agent: "智能体",
    reconnect: "重新连接",
    stop: (who) => `停止 ${who}`,
    idleNote: (who) => `发送下一条消息时，${who} 会启动。`,
    practiceNote: "回答来自内置脚本，而不是 AI。",
  },
  storage: {
    opening: {
      title: "正在打开你的对话…",
      body: "正在检查数据库。对话较多时可能需要一点时间。",
    },
    in_use: {
      title: "VoxPilot 已经打开。",
      body: "另一个 VoxPilot 实例正在使用数据库。请退出它，然后重试。",
    },
    read_only: {
      title: "无法写入数据库。",
      body: "你可以阅读对话，但不会保存新内容。请授予 VoxPilot 对其数据文件夹的写入权限，然后重试。",
    },
    newer: {
      title: "此数据库由较新版本的 VoxPilot 创建。",
      body: "未做任何更改。请退出 VoxPilot，然后打开较新版本。",
    },
    salvaged: {
      title: "数据库已损坏。",
      body: "VoxPilot 已另存一份副本，并恢复了所有能读取的内容。",
    },
    failing: {
      title: "新消息尚未保存。",
      body: "消息在内存中，VoxPilot 会继续尝试保存。如果磁盘已满，请释放一些空间。",
    },
    unusable: {
      title: "无法打开数据库。",
      body: "你的文件未被更改。请重试，或复制详情以报告问题。",
    },
    tryAgain: "重试",
  },
  loadFailed: "无法加载你的对话。",
  crash: {
    title: "此窗口已停止工作。",
    body: "你的对话是安全的：它们保存在窗口之外。重新加载即可继续。",
    reload: "重新加载",
  },
};
