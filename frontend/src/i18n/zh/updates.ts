// Chinese strings about newer versions of VoxPilot.

import type { Translated } from "../translated";
import type { updates as english } from "../updates";

export const updates: Translated<typeof english> = {
  title: "更新",
  off: "此构建版本不检查更新。要更新，请用安装此版本的方式安装最新版本。",
  idle: "VoxPilot 尚未检查更新。",
  checking: "正在检查更新…",
  none: "VoxPilot 已是最新版本。",
  failed: "无法检查更新。",
  available: (version) => `VoxPilot ${version} 可供更新。`,
  downloading: (version) => `正在下载 VoxPilot ${version}…`,
  progress: (got, size) => `${got} / ${size}`,
  ready: (version) => `VoxPilot ${version} 已下载并通过验证。`,
  readyFact: "VoxPilot 会退出、安装更新并重新打开。何时进行由你决定。",
  packageFact: "VoxPilot 下载安装包并验证，你用一条命令安装它。",
  commandFact: "要使用软件包管理器安装，请在终端中运行此命令：",
  lastCheck: (ago) => `上次检查：${ago}。`,
  check: "立即检查",
  download: (size) => `下载（${size}）`,
  restart: "重新启动以更新",
  openImage: "打开磁盘映像",
  tryAgain: "重试",
  copyCommand: "复制命令",
  notes: (version) => `${version} 的新内容`,
  checkDaily: "每天检查更新",
  checkDailyFact: "VoxPilot 只查询最新版本，不会发送任何关于你或你工作的信息。",
  show: (version) => `VoxPilot ${version} 可供更新`,
  showReady: (version) => `VoxPilot ${version} 已就绪`,
  hide: (version) => `关闭 VoxPilot ${version} 的提示`,
  migrated: "你的数据已升级到此版本。VoxPilot 保留了旧数据的备份。",
};
