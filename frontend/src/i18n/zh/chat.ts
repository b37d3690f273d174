import type { Decision, ToolKind, ToolStatus } from "../../state/types";
import type { chat as english } from "../chat";
import type { Translated } from "../translated";

const minus = "\u2212";

const number = new Intl.NumberFormat("zh-CN");
const amounts = new Intl.NumberFormat("zh-CN", { maximumFractionDigits: 2 });

const verbs: Record<ToolKind, string> = {
  read: "读取",
  edit: "编辑",
  delete: "删除",
  move: "移动",
  search: "搜索",
  execute: "运行",
  think: "思考",
  fetch: "获取",
  ask: "提问",
  plan: "计划",
  other: "使用",
};

const statusNames: Record<ToolStatus, string> = {
  pending: "等待中",
  in_progress: "进行中",
  completed: "已完成",
  failed: "失败",
  cancelled: "已停止",
};

const decisions: Record<Decision, string> = {
  allowed_once: "已允许一次",
  always_allowed: "已设为始终允许",
  auto_allowed: "按你的设置允许",
  rejected: "你已拒绝",
  closed: "未回答",
};

const everyFolder = "所有文件夹";

/**
 * inside formats a location in a folder, with spaces around the folder's name because it may be in Latin
 * script.
 */
const inside = (folder: string) => (folder === everyFolder ? `${folder}中` : ` ${folder} 中`);

export const chat: Translated<typeof english> = {
  transcript: "对话记录",
  you: (time) => `你，${time}`,
  answer: (time) => `VoxPilot，${time}`,
  empty: {
    title: "要更改什么？",
    body: (who, folder) => `${who} 在 ${folder} 中工作。除非你放宽权限，否则它行动前会询问。`,
    practice: "可以试试这三件事",
    practiceBody: "每件事展示不同的内容：一次编辑、一条命令或一个长回答。",
  },
  loadFailed: "无法加载此对话。",
  tryAgain: "重试",
  copyDetails: "复制详情",
  copyMessage: "复制消息",
  copyCode: "复制代码",
  dismiss: "关闭",
  jump: "跳到最新",
  jumpNew: (n) => `跳到最新，${number.format(n)} 条新消息`,
  copy: {
    tooLong: "所选内容过长，无法复制。请减少选择或导出对话。",
    cut: "部分所选内容未加载。请减少选择或导出对话。",
  },
  editMessage: "编辑并重新发送",
  attachments: "此消息的附件",
  outsideFolder: (path) => `${path} 在此对话的文件夹之外，因此 VoxPilot 未打开它。`,
  earlierPart: "显示前面的部分",
  laterPart: "显示后面的部分",
  fromBeginning: "从头显示",
  toTheEnd: "显示末尾",
  find: {
    label: "在此对话中查找",
    field: "查找",
    previous: "上一个匹配项",
    next: "下一个匹配项",
    close: "关闭查找",
    none: "无匹配项",
    count: (n, total, more) =>
      `${n > 0 ? `${number.format(n)} / ` : ""}${number.format(total)}${more ? "+" : ""}`,
  },
  images: {
    broken: "无法显示此图片。",
    unknown: "不支持此图片格式。",
    tooLarge: (size) => `此图片过大，无法显示（${size}）。`,
  },
  usage: {
    short: (usage) => `${number.format(usage.input + usage.output)} 个 token`,
    all: (usage) =>
      [
        `输入 ${number.format(usage.input)}`,
        `输出 ${number.format(usage.output)}`,
        usage.cacheRead ? `从缓存读取 ${number.format(usage.cacheRead)}` : "",
        usage.cacheWrite ? `写入缓存 ${number.format(usage.cacheWrite)}` : "",
        usage.thought ? `用于思考 ${number.format(usage.thought)}` : "",
      ]
        .filter((part) => part !== "")
        .join("，"),
    premium: (n) => `${amounts.format(n)} 次高级请求`,
    credits: (n) => `${amounts.format(n)} 个 AI 点数`,
  },
  older: "正在加载更早的消息…",
  newer: "正在加载更新的消息…",
  showAllOf: (size) => `显示全部 ${size}`,
  showAllLines: (lines) => `显示全部 ${lines} 行`,
  showAllFiles: (files) => `显示全部 ${files} 个文件`,
  showMore: (size) => `显示更多（还剩 ${size}）`,
  loading: "正在加载…",
  noContent: "没有输出。",
  image: (who) => `来自 ${who} 的图片`,
  openLink: {
    title: "打开此链接？",
    body: (href) => href,
    confirm: (isMail) => (isMail ? "写邮件" : "在浏览器中打开"),
  },

  work: {
    copilot: "Copilot",
    label: (agent, session) => `${agent} [${session}]`,
    suffix: {
      running: "",
      waiting: " — 需要你处理",
      done: " — 已完成",
      failed: " — 失败",
      stopped: " — 已停止",
      interrupted: " — 已中断",
    },
    stop: "停止",
    stopLabel: (session) => `停止 ${session}`,
    changes: (added, removed, files) =>
      [
        `${number.format(files)} 个文件`,
        added > 0 ? `+${number.format(added)}` : "",
        removed > 0 ? `${minus}${number.format(removed)}` : "",
      ]
        .filter((part) => part !== "")
        .join(" "),
    commands: (n) => `${number.format(n)} 条命令`,
    withoutPermission: (n) => `${number.format(n)} 次未经许可`,
    plan: "计划",
    planState: { completed: "，已完成", in_progress: "，进行中", pending: "，待办" },
    tools: "工具调用",
    output: (who) => `${who} 的输出`,
    thinking: "正在思考…",
    thought: (time) => (time === "" ? "已思考" : `思考了 ${time}`),
  },
  end: {
    failed: (who) => `${who} 未能完成。`,
    stopped: (time) => `已停止，${time}`,
    interrupted: (time) => `已中断，${time}`,
  },

  tool: {
    verb: (kind) => verbs[kind] ?? verbs.other,
    open: "打开",
    status: (status) => statusNames[status] ?? status,
    decision: (decision) => decisions[decision] ?? "",
    label: (verb, target, status) => `${verb} ${target}，${status}`,
    moved: (from, to) => `${from} 到 ${to}`,
    waiting: "等待你处理",
    noResult: "没有结果",
    stopped: "已停止",
    byRule: "已被规则拒绝",
    exit: (code) => `退出码 ${code}`,
    outputOf: (target) => `${target} 的输出`,
    diffOf: (path) => `${path} 的差异`,
    lastLines: (n) => `最后 ${number.format(n)} 行`,
  },

  request: {
    label: (title) => `权限请求：${title}`,
    edit: (path) => `编辑 ${path}`,
    delete: (path) => `删除 ${path}`,
    move: (from, to) => `将 ${from} 移动到 ${to}`,
    more: (file, others) => `${file} 和另外 ${others} 个文件`,
    run: "运行命令",
    runs: (command) => `运行 ${command}`,
    toRun: (command) => `运行 ${command}`,
    read: (path) => `读取 ${path}`,
    open: (host) => `打开 ${host}`,
    use: (tool) => `使用 ${tool}`,
    in: (folder) => `在 ${folder} 中`,
    outside: "访问此对话的文件夹之外的文件",
    waiting: (n) => `请求 1 / ${n}`,
    change: (path) => `对 ${path} 提议的更改`,
    command: "命令",
    where: "位于",
    details: "请求",
    allowOnce: "允许一次",
    alwaysAllow: "始终允许",
    reject: "拒绝",
    alwaysReject: "始终拒绝",
    scopeEdits: (folder) =>
      `“始终允许”会创建一条规则，适用于${inside(folder)}的所有编辑和新文件，不包括删除和移动。`,
    scopeFile: (file) => `“始终允许”会创建一条规则，仅适用于对 ${file} 的编辑。`,
    scopeCommand: (folder) => `“始终允许”会创建一条规则，适用于${inside(folder)}与此完全相同的命令。`,
    scopeHost: (host, folder) =>
      `“始终允许”会创建一条规则，适用于${inside(folder)}的对话访问 ${host} 上的所有网址。`,
    scopePrefix: (beginning, folder) =>
      `“始终允许”会创建一条规则，适用于${inside(folder)}以“${beginning}”开头的命令。`,
    scopeGlob: (pattern, folder) =>
      `“始终允许”会创建一条规则，适用于${inside(folder)}与“${pattern}”匹配的命令。`,
    everyFolder,
    inbox: "等待你处理的请求",
    inboxOpen: "所有请求",
    requester: (who, session) => (session === "" ? who : `${who} [${session}]`),
    requestedIn: (who, chat, folder) => `${who} · ${chat} · ${folder}`,
    removeRuleHint: "可在“设置 > 权限”中移除此规则。",
    changes: (n) => `对 ${n} 个文件提议的更改`,
    noPreview: (who) => `${who} 没有提供预览。`,
    moreFiles: (n) => `还有 ${n} 个文件没有预览。`,
    previewFailed: "无法加载预览。",
    announce: (who, what) => `${who} 请求：${what}`,
    // Chinese has no case.
    inSentence: (title) => title,
    wants: (who, what) => `${who} 想要：${what}`,
    waitBar: (who) => `${who} 正在等待你处理`,
    show: "显示请求",
  },

  modes: { ask: "先询问", accept_edits: "允许编辑", bypass: "允许一切" },
  modeBodies: {
    ask: "每次编辑、命令和网址都先询问。",
    accept_edits: "允许文件夹内的编辑、删除和移动，受保护的文件除外。其余先询问。",
    bypass:
      "仅对不明确的请求，以及智能体自身访问受保护的文件或文件夹之外的文件时询问。不询问在文件夹中运行的命令。此模式开启时，按钮显示为琥珀色。",
    bypassOutside:
      "仅对不明确的请求和受保护的文件询问。不询问其他文件，即使在文件夹之外。此模式开启时，按钮显示为琥珀色。",
  },

  banner: {
    restored: {
      label: "会话已恢复",
      strong: "会话已恢复。",
      body: (who, sessions, others) => {
        const named = sessions.map((session) => (session === "" ? who : `[${session}]`));
        if (sessions[0] !== "") named[0] = `${who} ${named[0]}`;
        if (others > 0) named.push(`另外 ${number.format(others)} 个会话`);
        return `${named.join("、")} 重新拥有完整的历史记录。`;
      },
      rule: (time) => `会话已恢复，${time}`,
    },
    incomplete: {
      label: "最后一条消息可能不完整",
      strong: "会话已恢复，但最后一条消息可能不完整。",
      body: (who) => `${who} 在工作时被中断。继续之前，请检查它最后一条消息的结尾。`,
      rule: (time) => `会话已恢复（最后一条消息可能不完整），${time}`,
    },
    lost: {
      label: "无法恢复会话",
      body: (who) => `无法恢复之前的 ${who} 会话，已启动新会话。你在 VoxPilot 中的对话记录完好无损。`,
      rule: (time) => `新会话，${time}`,
      show: (who) => `显示发给 ${who} 的摘要`,
      hide: (who) => `隐藏发给 ${who} 的摘要`,
      recap: "发给新会话的摘要",
    },
    repaired: {
      label: "会话已修复",
      strong: "会话已修复。",
      body: (who) => `会话文件已损坏，${who} 无法打开。VoxPilot 修复了一份副本，损坏的文件保持不变。`,
      rule: (time) => `会话已修复，${time}`,
    },
    rebuilt: {
      label: "已用此对话重建会话",
      strong: "已用此对话重建会话。",
      body: (who) =>
        `会话文件已损坏或缺失，因此 VoxPilot 在新会话中把此对话的消息和工具结果交给了 ${who}。旧会话保持不变。`,
      rule: (time) => `已用此对话重建会话，${time}`,
    },
    handedOver: {
      label: "Copilot 已获得此对话的内容",
      rule: (who, time) => `${who} 已获得此对话的内容，${time}`,
    },
    imported: {
      label: "来自其他程序的会话",
      rule: (count) => (count ? `续自终端，${count}` : "续自终端"),
      copy: (count) => (count ? `终端会话的副本，${count}` : "终端会话的副本"),
      fromProgram: (program, count) => (count ? `来自 ${program}，${count}` : `来自 ${program}`),
    },
    writtenElsewhere: {
      label: "来自其他程序的消息",
      rule: (count: string) => `另一个程序在此会话中写入了${count}`,
    },
    historyMismatch: {
      label: (who) => `${who} 的历史记录与此对话不一致`,
      strong: (who) => `${who} 的历史记录与此对话不一致。`,
      body: "你在 VoxPilot 中的对话记录完好无损。",
      rule: (who, time) => `${who} 的历史记录与此对话不一致，${time}`,
    },
    allowAll: {
      label: "“允许一切”已开启",
      strong: "“允许一切”已开启。",
      body: (who) => `恢复会话时此模式仍处于开启状态，因此 ${who} 可以不经询问就编辑文件和运行命令。`,
      off: "改回“先询问”",
      rule: (time) => `会话已恢复，“允许一切”已开启，${time}`,
    },
    mode: {
      label: "模式已恢复",
      rule: (mode, time) => `会话已按 ${mode} 模式恢复，${time}`,
    },
    limit: {
      label: (who) => `${who} 已达到上限`,
      strong: (who) => `${who} 已达到上限。`,
      body: "它在完成之前自行停止。目前的成果在上方。",
      rule: (who, time) => `${who} 已达到上限，${time}`,
    },
    continued: {
      label: "之前对话的摘要",
      rule: (title) => `接续“${title}”`,
      show: (who) => `显示发给 ${who} 的摘要`,
      hide: (who) => `隐藏发给 ${who} 的摘要`,
    },
    paused: {
      label: "请求频率受限",
      strong: (provider) => `${provider} 正在限制请求频率。`,
      body: (left) => `${left} 后重试。你的消息已保存。`,
      change: "更换模型",
      cancel: "取消",
      rule: (provider, time) => `${provider} 曾限制请求频率，${time}`,
    },
    timeLimit: {
      label: "时间上限",
      strong: (who, left) => `${who} 将在 ${left} 后停止。`,
      waits: (who) => `你回答后，${who} 很快就会停止。`,
      body: "即将达到设置中的时间上限。",
      extend: (minutes) => `延长 ${minutes} 分钟`,
      rule: (time) => `接近时间上限，${time}`,
    },
    extended: {
      label: "时间上限已延长",
      rule: (minutes, time) => `时间上限已延长 ${minutes} 分钟，${time}`,
    },
    withoutPermission: {
      label: (who) => `${who} 没有请求许可`,
      strong: (who) => `${who} 没有请求许可。`,
      body: "VoxPilot 已停止回答，因为以下操作未经你允许就运行了：",
      suspects: (names) => `文件夹中的这些钩子和设置可以替你回应请求：${names}。`,
      noSuspects: "文件夹中没有可以解释此情况的内容。请检查智能体自己的设置。",
      next: "继续之前，请检查有哪些更改。",
      rule: (who, time) => `因 ${who} 没有请求许可，回答已停止，${time}`,
    },
    guardOff: {
      label: "VoxPilot 的防护已关闭",
      strong: "VoxPilot 的防护已关闭。",
      body: (who) =>
        `VoxPilot 无法在 ${who} 的工具调用运行之前进行检查。${who} 会继续请求许可。在此会话中，VoxPilot 会拒绝让它不再询问的设置。`,
      rule: (time) => `VoxPilot 的防护已关闭，${time}`,
    },
    agentError: {
      label: (who) => `${who} 报告了问题`,
      strong: (who) => `${who} 报告了问题。`,
      rule: (who, time) => `${who} 报告了问题，${time}`,
    },
    continue: (who) => `让 ${who} 继续`,
    continuePrompt: "从你停下的地方继续。",
  },

  condition: {
    full: {
      label: "对话快满了",
      strong: "此对话快满了。",
      body: "较早的部分会被缩短以腾出空间。可以用此对话的摘要开始新对话。",
    },
    signIn: {
      label: "需要登录",
      expired: "你的 GitHub 登录已过期。",
      expiredBody: "重新登录后，VoxPilot 会从中断处继续此会话，并发送队列中的消息。",
      wrongKind: "Copilot 无法使用此登录。",
      first: "登录 GitHub 以使用 Copilot。",
      firstBody: "消息会在此等待，登录后发送。",
      from: (account) => {
        if (account.source === "env" && account.variable) return `此登录来自环境变量 ${account.variable}。`;
        return account.source === "gh" ? "此登录来自 GitHub CLI（gh）。" : "";
      },
      do: "登录 GitHub",
      without: "不使用 Copilot 继续",
    },
    agentSignIn: {
      strong: (agent) => `登录 ${agent} 以继续。`,
      body: "此智能体使用自己的登录信息。请用它的命令行工具登录，然后重新检查。队列中的消息已保存，随后会发送。",
      refused: (model) => `${model} 拒绝了 API 密钥。`,
      model: "请在设置中更正密钥，然后重新检查。队列中的消息随后会发送。",
    },
    trust: {
      label: "需要信任",
      strong: (who) => `VoxPilot 未启动 ${who}，因为此文件夹中的文件可以运行代码。`,
      changed: (who) => `VoxPilot 未启动 ${who}，因为此文件夹中可以运行代码的文件已更改。`,
      body: "消息会在此等待，在你信任此文件夹后发送。",
    },
    noSandbox: {
      label: "沙盒不可用",
      strong: (who) => `VoxPilot 未启动 ${who}，因为 ${who} 无法在沙盒中运行。`,
      off: "关闭沙盒",
      settings: "沙盒设置",
    },
    noAccess: {
      label: "没有 Copilot 使用权限",
      strong: (login) => (login ? `${login} 没有 Copilot 使用权限。` : "此账户没有 Copilot 使用权限。"),
      body: "请用带有 Copilot 套餐的账户登录，或在为此账户开通 Copilot 后重新检查。",
      another: "使用其他账户",
    },
    locked: {
      label: "钥匙串已锁定",
      strong: "系统钥匙串已锁定。",
      body: "解锁后，VoxPilot 才能读取你的登录信息。",
    },
    offline: {
      label: "离线",
      strong: "你处于离线状态。",
      body: "消息会在此等待，恢复联网后发送。你仍可阅读自己的对话。",
    },
    missing: {
      label: "未找到 Copilot CLI",
      strong: "未找到 Copilot CLI。",
      before: "用 ",
      after: " 安装；如果已安装在其他位置，请选择程序文件。",
      searched: "查找过的位置",
    },
    tooOld: {
      label: "Copilot CLI 版本过旧",
      strong: (found) => `Copilot CLI ${found} 版本过旧。`.replace("  ", " "),
      before: (min) => `VoxPilot 需要 ${min} 或更高版本。请在终端中运行 `,
      after: "，然后重新检查。",
    },
    folderGone: {
      label: "未找到文件夹",
      strong: (path) => `文件夹 ${path} 已不存在。`,
      body: "它可能已被移动或删除。请定位此文件夹以继续。",
      locate: "定位文件夹…",
    },
    reconnecting: {
      label: "正在重新连接",
      strong: (who) => `${who} 意外停止。`,
      body: (attempt, max, left) =>
        `正在重新连接，第 ${attempt} 次，共 ${max} 次。${left ? `${left}后再次尝试。` : ""}`,
      now: "立即重新连接",
    },
    gaveUp: {
      label: (who) => `无法重新启动 ${who}`,
      strong: (who) => `无法重新启动 ${who}。`,
      body: (times, how) =>
        times === 1
          ? `它已停止${how === "" ? "" : `，${how}`}。你的对话已保存。`
          : `它已连续停止 ${times} 次${how === "" ? "" : `，最后一次为${how}`}。你的对话已保存。`,
    },
    exitedStart: {
      body: (how) => `它立即退出了${how === "" ? "" : `，${how}`}。你的对话已保存。`,
    },
    failed: {
      label: (who) => `无法启动 ${who}`,
      strong: (who) => `无法启动 ${who}。`,
      saved: "你的对话已保存。",
    },
    provider: {
      label: "模型或智能体未设置",
      strong: "此对话的模型或智能体已不在设置中。",
      body: "请在设置中重新添加，或另选一个，从此对话的摘要继续。你的对话已保存。",
      other: "另选一个…",
    },
    exitCode: (code) => `退出码 ${code}`,
    signal: (name) => `信号 ${name}`,
    showLog: "显示日志",
    hideLog: "隐藏日志",
    stderr: "智能体日志",
  },
};
