import type { composer as english } from "../composer";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("zh-CN");

export const composer: Translated<typeof english> = {
  label: "输入框",
  message: "消息",
  placeholder: "给 VoxPilot 发消息",
  first: (folder) => `要在 ${folder} 中更改什么？`,
  queue: "添加消息到队列",
  queuedUntilSignIn: "登录之前，消息会加入队列",
  queuedUntilTrust: "信任此文件夹之前，消息会加入队列",
  queuedUntilReconnected: (who) => `${who} 恢复之前，消息会加入队列`,
  practice: "练习模式：回答来自内置脚本，而不是 AI。",
  send: "发送",
  stop: "停止",
  queueButton: "加入队列",
  tooLarge: (size, max) =>
    `此消息过长（${size} 字节，上限为 ${max} 字节）。请缩短消息，或将文本放入文件夹中的文件。`,
  pasteTooLarge: (size, max) =>
    `内容过长，无法粘贴：消息将有 ${size} 字节，上限为 ${max} 字节。请将文本放入文件夹中的文件，然后用 @ 提及该文件。`,

  attachments: {
    list: "附件",
    add: "附加图片",
    remove: (name) => `移除 ${name}`,
    reading: (name) => `正在读取 ${name}…`,
    pasted: (n, ending) => `粘贴-${n}.${ending}`,
    clipboard: "剪贴板",
    drop: "拖放到此处以附加",
    noImages: (who) => `${who} 在此对话中不接受图片。请将图片放入文件夹，然后用 @ 提及它。`,
    notAnImage: (name) => `无法附加 ${name}：只能以此方式添加图片。请将它放入文件夹，然后用 @ 提及它。`,
    tooLarge: (name, size, max) => `无法附加 ${name}：大小为 ${size}，图片的上限为 ${max}。`,
    tooMany: (max) => `一条消息最多可带 ${number.format(max)} 个附件。`,
    unreadable: (name) => `无法读取 ${name}。请重试，或将图片放入对话的文件夹，然后用 @ 提及它。`,
    notOnThisComputer: "部分内容未附加，因为它们不是此电脑上的文件。请先将它们复制到此电脑，再附加。",
    some: (n) => `${number.format(n)} 个附件`,
  },

  files: {
    mention: "提及文件",
    list: "文件",
    folder: "文件夹",
    reading: "正在加载文件…",
    failed: "无法列出此文件夹中的文件。",
  },

  commands: "命令",
  commandList: "命令列表",

  typed: {
    newChat: "在此文件夹中新建对话",
    ask: "在新对话中提问",
    rewind: "回到上一条消息",
    fork: "从上一条消息开始新对话",
    tasks: "显示此对话的会话",
    settings: (page) => `打开“设置 > ${page}”`,
    agent: "选择自定义智能体",
    copy: "复制上一个回答",
    delegate: "让智能体创建拉取请求",
    exit: "关闭 VoxPilot",
    instructions: "编辑此文件夹的说明",
    limits: "查看 token 用量",
    worktree: "在另一个工作树中工作",
    pr: "创建拉取请求",
    agentInstead: "自定义智能体在输入框下方的“模型”菜单中。",
    copyInstead: "要复制回答，请选择其下方的“复制消息”。",
    delegateInstead: "VoxPilot 无法将对话交给 GitHub。请让智能体推送分支并创建拉取请求。",
    exitInstead: "要退出，请关闭窗口。对话已保存。",
    instructionsInstead:
      "说明位于 AGENTS.md 和 .github/copilot-instructions.md。要让智能体更改其中一个，请用 @ 提及它。",
    limitsInstead: "VoxPilot 无法限制 AI 点数，但每个回答下方会显示使用的 token 数。",
    worktreeInstead: "请用 git 创建工作树，然后在新对话中打开其文件夹。",
    prInstead: "请在对话的审阅中选择“拉取请求…”，或让智能体创建拉取请求。",
    terminalOnly: (name) => `/${name} 只能在终端的 Copilot CLI 中使用。`,
    noMessage: "此对话没有可以回到的消息。",
    needsChat: (name) => `/${name} 只能在已有的对话中使用。`,
    sendAnyway: "要作为消息发送，请再按一次 Enter。",
  },

  permissions: "权限",
  allow: {
    title: "在此对话中允许一切？",
    body: (who, askOutside) =>
      `${who} 编辑文件、运行命令和打开网址时将不再询问。它的命令以你在此电脑上的权限运行。你的“从不允许”规则仍然有效。${
        askOutside
          ? "不明确的请求、受保护的文件和文件夹之外的文件仍会询问。"
          : "不明确的请求和受保护的文件仍会询问。"
      }你可以随时切换回“先询问”。`,
    confirm: "允许一切",
  },
  mode: "模式",
  modeBodies: {
    agent: "与你一起逐步工作。",
    plan: "先写计划，等待确认后再更改。",
    autopilot: "一直工作到任务完成。会开启“允许一切”。",
  },
  on: "开",
  off: "关",

  context: {
    label: (percent) => `上下文：已用 ${percent}%`,
    title: "上下文",
    of: (used, size) => `${used} / ${size} 个 token`,
    body: (who) =>
      `${who} 一次能处理的文本量。达到 80% 时圆环变为琥珀色：较早的部分很快会被缩短，以腾出空间。`,
    full: "此对话快满了。",
    fullBody: "较早的部分将被缩短，以腾出空间。",
    last: "上一个回答",
    all: "所有回答",
    read: (tokens) => `输入 ${tokens}`,
    cached: (tokens) => `其中 ${tokens} 来自缓存`,
    written: (tokens) => `输出 ${tokens}`,
  },

  queued: {
    list: "队列中的消息",
    edit: (n) => `编辑队列中的消息 ${n}`,
    remove: (n) => `移除队列中的消息 ${n}`,
    sendNow: (n) => `立即发送队列中的消息 ${n}`,
    move: (n) => `移动队列中的消息 ${n}`,
    moveHint: "拖动以重新排序，或按 Alt+上方向键或 Alt+下方向键",
    moved: (n, of) => `已移到第 ${n} 位，共 ${of} 位`,
    editing: (n) => `队列中的消息 ${n}`,
    save: "保存",
    cancel: "取消",
    paused: "选择“立即发送”后才会发送这些消息。",
    resume: "立即发送",
  },
};
