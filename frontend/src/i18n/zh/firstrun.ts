import type { firstRun as english } from "../firstrun";
import type { Translated } from "../translated";

export const firstRun: Translated<typeof english> = {
  title: "设置 VoxPilot",
  lead: "共三步，约一分钟。",
  setup: "设置步骤",
  cli: {
    checkingAgain: "正在检查…",
    checkedAgain: {
      checking: "",
      found: "VoxPilot 已重新检查，并找到了 Copilot CLI。",
      missing: "VoxPilot 已重新检查，仍未找到 Copilot CLI。",
      too_old: "VoxPilot 已重新检查。Copilot CLI 版本仍然过旧。",
      broken: "VoxPilot 已重新检查。Copilot CLI 仍然无法启动。",
    },
    checking: "正在查找 Copilot CLI…",
    found: "已找到 Copilot CLI",
    foundAt: (version, path) => `${version}，位于 ${path}`,
    missing: "未找到 Copilot CLI",
    missingBody: "请在终端中安装它，然后重新检查。如果已安装，请选择其程序文件。",
    missingBodyHere: "请在这里安装它，或在终端中运行下面的命令，然后重新检查。如果已安装，请选择其程序文件。",
    searched: "VoxPilot 查找过这些位置：",
    tooOld: (version) => `Copilot CLI ${version} 版本过旧`,
    tooOldBody: (min) =>
      `VoxPilot 需要 ${min} 或更高版本。要更新它，请在终端中运行下面的命令，然后重新检查。如果你有更新的版本，请选择其程序文件。`,
    tooOldBodyHere: (min) =>
      `VoxPilot 需要 ${min} 或更高版本。请在这里更新它，或在终端中运行下面的命令，然后重新检查。如果你有更新的版本，请选择其程序文件。`,
    broken: "Copilot CLI 无法启动",
    brokenBody: "要重新安装，请在终端中运行下面的命令，然后重新检查。也可以选择另一份程序文件。",
    brokenBodyHere: "请在这里重新安装，或在终端中运行下面的命令，然后重新检查。也可以选择另一份程序文件。",
  },
  signIn: {
    ownTitle: (model) => `使用 ${model}`,
    change: "更改",
    ownBody: "Copilot CLI 会使用你的模型，而不是 GitHub 的模型。不需要账户。",
    ownSave: "使用此模型",
    back: "返回",
  },
  folder: {
    title: "选择文件夹",
    fact: "Copilot 在其中工作",
    body: "Copilot 在你选择的文件夹中工作。在你更改设置之前，它在每次编辑和每条命令之前都会询问。",
    label: "文件夹",
    placeholder: "输入或粘贴路径",
    choose: "选择文件夹…",
    chooseAnother: "选择其他文件夹…",
    git: (branch) => `Git，分支 ${branch}`,
    noGit: "不是 Git 仓库",
    missing: "此文件夹不存在。",
  },
  later: "稍后设置",
  practice: "不用账户试用",
  practiceOff:
    "要不用账户试用 VoxPilot，请先设置 Copilot CLI。练习模式会运行 Copilot CLI，并用内置回答代替 AI 模型。",
  start: "开始",
};
