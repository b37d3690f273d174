import type { Account, TokenSource } from "../../state/types";
import type { account as english } from "../account";
import type { Translated } from "../translated";

/** variable returns the name of the environment variable that contains a token. */
const variable = (account: Account) => (account.variable ? `环境变量 ${account.variable}` : "环境变量");

/** Labels of the token sources in a list. */
const names: Record<TokenSource, string> = {
  env: "环境变量",
  stored: "VoxPilot 登录",
  gh: "GitHub CLI（gh）",
  cli: "Copilot CLI 登录",
};

export const account: Translated<typeof english> = {
  menu: (who) => `账户：${who}`,
  needed: "需要登录",
  notSignedIn: "未登录",
  checkingSignIn: "正在检查你是否已登录…",
  ownLogin: "Copilot CLI 登录",
  ownUnsure: "登录状态未知",
  unknownAccount: "GitHub 账户",
  settings: "账户设置",
  checkNow: "立即检查",
  checking: "正在检查…",
  signIn: "登录 GitHub",
  signInMore: "登录 GitHub…",
  continueWith: "继续使用 GitHub",
  another: "使用其他账户",
  anotherMore: "使用其他账户…",
  signOut: "退出登录",
  signOutMore: "退出登录…",

  from: (account) => {
    switch (account.source) {
      case "env":
        return `来自${variable(account)}`;
      case "stored":
        return account.kind === "token" ? "通过你粘贴的令牌登录" : "通过 VoxPilot 登录";
      case "gh":
        return "来自 GitHub CLI（gh）";
      case "cli":
        return "Copilot CLI 登录";
      default:
        return "";
    }
  },
  ago: (millis) => {
    const minutes = Math.floor(millis / 60_000);
    if (minutes < 1) return "刚刚";
    if (minutes < 60) return `${minutes} 分钟前`;
    const hours = Math.floor(minutes / 60);
    return hours < 24 ? `${hours} 小时前` : `${Math.floor(hours / 24)} 天前`;
  },
  checked: (account) => {
    switch (account.state) {
      case "valid":
        return "有效";
      case "no_access":
        return "有效，但没有 Copilot 使用权限";
      case "expired":
        return "被 GitHub 拒绝";
      case "wrong_kind":
        return "不支持的令牌类型";
      default:
        return "未确认";
    }
  },
  neverChecked: "尚未检查",
  notChecked: "VoxPilot 未检查",

  /** stateSentence formats the state as a sentence. */
  stateSentence: (state) => `${state}。`,
  state: (account) => {
    switch (account.state) {
      case "valid":
        return `已登录 ${account.host}`;
      case "unverified":
        return `已登录 ${account.host}（未确认）`;
      case "own":
        return account.login ? "Copilot CLI 已用自己的登录信息登录" : "Copilot CLI 没有报告是否已登录";
      case "no_access":
        return `已登录 ${account.host}，但此账户没有 Copilot 使用权限`;
      case "expired":
        return "GitHub 不再接受此登录";
      case "wrong_kind":
        return "Copilot 不支持此类令牌";
      case "locked":
        return "系统钥匙串已锁定";
      case "signed_out":
        return "Copilot 需要带有 Copilot 套餐的 GitHub 账户";
      default:
        return "正在检查你是否已在此电脑上登录…";
    }
  },
  expired: "你的 GitHub 登录已过期。请重新登录。",
  expiredGH:
    "GitHub 不再接受 gh 的令牌。请在终端中运行“gh auth login”，然后重新选择“使用 GitHub CLI（gh）”，或换一种方式登录。",
  check: "登录检查",
  checkFact: (last) => `VoxPilot 每次启动 Copilot 前都会检查你的登录。${last}`,
  checkLast: (ago, result) => `上次检查：${ago}，${result}。`,
  checkNever: "尚未检查。",
  checkOwn: "此登录由 Copilot CLI 管理，VoxPilot 无法判断它是否有效。",
  checkNone: "你尚未在此电脑上登录。",

  storedIn: "登录信息的保存位置",
  storage: (account) => {
    const keychain = account.keychain ? `系统钥匙串（${account.keychain}）` : "系统钥匙串";
    switch (account.source) {
      case "env":
        return `在${variable(account)}${account.variable ? " " : ""}中。VoxPilot 会读取它，但不保存副本。`;
      case "gh":
        return `由 GitHub CLI 管理。VoxPilot 从 ${account.program || "gh"} 获取，不保存副本。`;
      case "cli":
        return "由 Copilot CLI 管理。VoxPilot 看不到它。";
      default:
        if (account.state === "locked") return `${keychain}。它已锁定。请先解锁，再选择“立即检查”。`;
        if (account.key === "memory") {
          return "系统钥匙串不可用，因此只保存在内存中。你的登录信息不会写入文件，退出 VoxPilot 后即被清除。";
        }
        if (account.key === "missing") return "你的登录信息已不在系统钥匙串中。请重新登录。";
        return `${keychain}。你的登录信息不会写入数据库或日志。`;
    }
  },
  protected: "受保护",
  untilQuit: "退出前有效",
  lockedTag: "已锁定",
  missing: "缺失",
  external: "在别处管理",
  until: "有效期至",

  signInToUse: "使用的登录方式",
  usedFact: "“自动”使用 VoxPilot 找到的第一种登录方式。如果 GitHub 拒绝它，VoxPilot 不会尝试其他方式。",
  automatic: "自动",
  name: (source, account) =>
    source === "env" && account.variable ? `环境变量 ${account.variable}` : names[source],
  notFound: (name) => `${name}（未找到）`,
  codeSignIn: "使用验证码登录",
  clientId: "OAuth 客户端 ID",
  clientIdFact: "用于请求验证码的 OAuth 应用的 ID。留空则使用 VoxPilot 自带的 ID。",
  clientIdFactNone: "此构建版本没有自带客户端 ID。填入你自己的 OAuth 应用的客户端 ID，即可使用验证码登录。",
  clientIdPlaceholder: "内置",
  clientIdPlaceholderNone: "例如 Ov23li…",

  out: {
    stored: {
      title: (who) => `退出 ${who} 的登录？`,
      body: "所有对话中的 Copilot 都会停止，此登录信息会从你的电脑上移除。你的对话会保留。",
    },
    cli: {
      title: "退出 Copilot CLI 的登录？",
      body: "所有对话中的 Copilot 都会停止。终端也会一起退出登录，因为 VoxPilot 和终端使用同一登录信息。你的对话会保留。",
    },
    env: {
      title: (account) => `你是通过${variable(account)}登录的`,
      body: "VoxPilot 不保存令牌，因此这里没有可移除的内容。请在设置该变量的地方取消设置，再重新启动 VoxPilot，或在设置中选择其他登录方式。",
    },
    gh: {
      title: "你是通过 GitHub CLI 登录的",
      body: "VoxPilot 不保存令牌，因此这里没有可移除的内容。请在终端中退出 gh 的登录，或在设置中选择其他登录方式。",
      command: (host) => `gh auth logout --hostname ${host}`,
    },
    confirm: "退出登录",
    choose: "选择其他登录方式",
    close: "关闭",
  },

  dialog: {
    title: (host) => (host === "github.com" ? "登录 GitHub" : `登录 ${host}`),
    signedIn: (who) => `已使用账户 ${who} 登录。`,
    signedInOwn: "Copilot CLI 已登录。",
  },
  code: {
    open: "打开 ",
    type: "，然后输入此验证码。",
    label: (code) => `登录验证码 ${code}`,
    copyAndOpen: "复制验证码并打开 GitHub",
    copy: "复制验证码",
    again: "获取新验证码",
    status: "登录状态",
    starting: "正在向 GitHub 请求验证码…",
    waiting: "正在等待你在 GitHub 上批准。",
    works: (left) => `验证码有效时间还剩 ${left}。`,
    minutes: (n) => (n <= 1 ? "不到 1 分钟" : `${n} 分钟`),
    expired: "验证码已过期。",
    denied: "此次登录未在 GitHub 上获得批准。",
    unreachable: "无法连接 GitHub。",
    failed: "登录失败。",
    done: "已登录。",
  },
  cli: {
    body: "此登录由 Copilot CLI 处理。请按照下方的提示操作。",
    output: "Copilot CLI 输出",
    starting: "正在启动 Copilot CLI…",
    waiting: "正在等待登录完成。",
    again: "重试",
    cancel: "取消",
    open: "在浏览器中打开",
    copy: "复制地址",
  },
  token: {
    body: "请使用具有“Copilot Requests”权限的细粒度令牌。VoxPilot 绝不会将它写入文件。它保存在系统钥匙串中；没有钥匙串时，只保存在内存中。",
    make: "在 GitHub 上创建令牌",
    label: "令牌",
    save: "登录",
    checking: "正在向 GitHub 确认…",
    empty: "请粘贴令牌以继续。",
    classic: "Copilot 不支持经典令牌（ghp_）。请创建一个具有“Copilot Requests”权限的细粒度令牌。",
    back: "返回",
  },
  ways: {
    title: "其他登录方式",
    first: "选择登录方式。",
    noCode:
      "此 VoxPilot 构建版本不支持通过浏览器登录，但 Copilot CLI 支持：它会打开你的浏览器，或显示要在 GitHub 上输入的验证码。",
    noCodeNoCLI: "此 VoxPilot 构建版本不支持通过浏览器登录。请选择其他方式继续。",
    withCLI: "使用 Copilot CLI 登录",
    code: "使用验证码登录",
    codeFact: "在浏览器中的 GitHub 页面输入简短的验证码。",
    token: "粘贴令牌",
    tokenFact: "一个具有“Copilot Requests”权限的细粒度令牌。",
    cli: "沿用 Copilot CLI 的登录",
    cliFact: "由 Copilot CLI 登录并保存登录信息，VoxPilot 无法检查。",
    cliAnother: "使用其他账户。Copilot CLI 会打开你的浏览器或显示验证码。",
    cliFound: "已经登录，但 VoxPilot 无法判断此登录是否仍然有效。",
    gh: "使用 GitHub CLI（gh）",
    ghFact: "已在此电脑上登录。",
    own: "使用你自己的模型",
    ownFact: "不需要 GitHub 账户。",
  },
  locked: {
    strong: "系统钥匙串已锁定。",
    body: "解锁后 VoxPilot 才能读取你的登录信息。",
    again: "重试",
  },
  found: {
    title: (who) => `已使用账户 ${who} 登录`,
    titleOwn: "Copilot CLI 已登录",
    titleOwnUnsure: "使用 Copilot CLI 的登录",
    body: (account) => {
      const how = () => {
        switch (account.source) {
          case "env":
            return account.variable ? `通过 ${account.variable} 中的令牌` : "通过环境变量中的令牌";
          case "gh":
            return "通过 GitHub CLI（gh）";
          default:
            return account.kind === "token" ? "使用你粘贴的令牌" : "";
        }
      };
      const signedIn = `你已${how()}登录 ${account.host}。`;
      return account.state === "unverified" ? `${signedIn}GitHub 尚未确认此登录。` : signedIn;
    },
    bodyOwn: "Copilot CLI 自行管理登录。VoxPilot 无法判断它是否仍然有效。",
    bodyOwnUnsure: "Copilot CLI 自行管理登录。VoxPilot 无法判断你是否已登录。",
    continueAs: (who) => `以 ${who} 身份继续`,
    continueOwn: "继续",
    another: "使用其他账户",
    checked: "已向 GitHub 确认",
    unchecked: "无法向 GitHub 确认",
  },
  memory: "系统钥匙串不可用，因此退出 VoxPilot 后，此登录信息即被清除。",
};
