// Words about newer versions of VoxPilot, in Simplified Chinese.

import type { Translated } from "../translated";
import type { updates as english } from "../updates";

export const updates: Translated<typeof english> = {
  title: "更新",
  off: "此构建不检查更新。请用安装此版本的方式安装最新版本。",
  idle: "VoxPilot 尚未检查新版本。",
  checking: "正在检查新版本…",
  none: "这是最新版本。",
  failed: "VoxPilot 未能得知是否有新版本。",
  available: (version) => `VoxPilot ${version} 已发布。`,
  downloading: (version) => `正在下载 VoxPilot ${version}…`,
  progress: (got, size) => `${got} / ${size}`,
  ready: (version) => `VoxPilot ${version} 已下载并通过验证。`,
  readyFact: "VoxPilot 会退出、安装新版本并重新打开。何时进行由你决定。",
  packageFact: "VoxPilot 下载安装包并验证，你用一条命令安装它。",
  commandFact: "由你的系统安装。在终端中运行此命令：",
  lastCheck: (ago) => `上次检查：${ago}。`,
  check: "立即检查",
  download: (size) => `下载，${size}`,
  restart: "重启以更新",
  openImage: "打开映像",
  tryAgain: "重试",
  copyCommand: "复制命令",
  notes: (version) => `${version} 的新内容`,
  look: "每天检查一次更新",
  lookFact: "VoxPilot 只查询最新版本，不发送任何关于你或你工作的信息。",
  show: (version) => `VoxPilot ${version} 已发布`,
  showReady: (version) => `VoxPilot ${version} 已就绪`,
  hide: (version) => `隐藏 VoxPilot ${version} 的提示`,
  migrated: "你的数据已为此版本做好准备，并保留了之前的副本。",
};
