// Chinese strings for the permission card.

import { count } from "../../lib/format";
import type { Protection } from "../../state/types";
import type { card as english } from "../card";
import type { Translated } from "../translated";

const services = new Map([["Docker", "容器镜像仓库"]]);

const protections: Record<Protection, string> = {
  session: "可能会在下次会话开始时运行代码",
  git: "可能会在 Git 下次运行时运行代码",
  shell: "可能会在启动 shell 时运行代码",
  keys: "包含 SSH 或 GPG 密钥或设置",
  app: "包含 VoxPilot 自己的数据",
  agent: "包含 Copilot 自己的设置",
};

export const card: Translated<typeof english> = {
  requestedBy: (who) => `由 ${who} 请求`,
  kinds: (edits, creates, deletes) =>
    [
      edits > 0 ? `${edits} 处编辑` : "",
      creates > 0 ? `${creates} 个新文件` : "",
      deletes > 0 ? `${deletes} 处删除` : "",
    ]
      .filter(Boolean)
      .join("，"),
  changeFiles: (n) => `更改 ${count(n)} 个文件`,
  create: (path) => `创建 ${path}`,
  verbs: { edit: "编辑", create: "创建", delete: "删除" },
  file: (verb, path) => `${verb} ${path}`,
  moreLines: (n) => `还有 ${count(n)} 行`,
  showMoreLines: (n, path) => `显示 ${path} 的其余 ${count(n)} 行`,
  showFile: (path) => `显示 ${path}`,
  agentText: (who) => `${who} 的说明`,
  noDeletion: "VoxPilot 无法预览将被删除的内容。",
  severalOnce: (n, unlisted) =>
    `“允许一次”适用于${unlisted ? `全部 ${count(n)} 个文件，包括没有预览的文件` : `所示的这 ${count(n)} 个文件`}。请求更改多个文件时，“始终允许”不可用。`,
  deletionOnce: "“始终允许”不可用于删除。",
  moveOnce: "“始终允许”不可用于移动。",
  harmOnce: "由于存在上述风险，“允许一次”没有快捷键，“始终允许”不可用。",
  allowFromNowOn: "允许且不再询问",
  onlyAlways: (who) =>
    `${who} 不提供仅允许一次的选项。如果允许，${who} 以后执行类似操作时不会再询问，因此 VoxPilot 无法用你的规则检查这些操作。`,
  runsIn: "运行位置",
  variables: "设置变量",
  reason: "Copilot 应该改做什么？",
  rejectAndSend: "拒绝并发送",
  cancel: "取消",
  reasonFact: "你输入的内容会作为你的下一条消息发给 Copilot，Copilot 会继续。留空则 Copilot 在此停止。",
  reasonOf: (who) => `${who} 应该改做什么？`,
  reasonFactOf: (who) => `你输入的内容会作为你的下一条消息发给 ${who}。`,
  protected: (why, several) =>
    several ? `含受保护的文件，该文件${protections[why]}` : `受保护：此文件${protections[why]}`,
  harm: "风险",
  harms: {
    delete: (of, _at, files, _targets, canRestore) => {
      const counted = files > 0 ? `${count(files)} 个文件` : "";
      if (canRestore) return ["删除文件：", `${of}（${counted}）。`];
      const what = of && counted ? `${of}（${counted}）` : of || counted;
      return what === ""
        ? ["永久删除文件。", "“撤销”无法恢复。"]
        : ["永久删除文件：", `${what}。“撤销”无法恢复。`];
    },
    overwrite: (of, at) => [
      `覆盖${at === "" ? "远程仓库" : ` ${at} `}上的${of === "" ? "分支" : ` ${of}`}。`,
      "那里有而此电脑上没有的提交会丢失。",
    ],
    script: (of) => [
      "运行来自网络的脚本。",
      `VoxPilot 看不到${of === "" ? "服务器" : ` ${of} `}发送的内容。`,
    ],
    discard: () => ["丢弃尚未提交的更改。", ""],
    history: () => ["重写仓库的历史记录。", "原来的提交可能会丢失。"],
    admin: () => ["以管理员身份运行。", "它可以更改此电脑上的任何内容。"],
    rights: (of) => (of === "" ? ["更改文件权限。", ""] : ["更改文件权限：", `${of}，包括其中的所有内容。`]),
    owner: (of) =>
      of === "" ? ["更改文件的所有者或组。", ""] : ["更改文件的所有者或组：", `${of}，包括其中的所有内容。`],
    disk: (of) => ["直接写入磁盘。", `${of === "" ? "磁盘" : `${of} `}上的内容会丢失。`],
    publish: (_of, at) => [
      `发布或更改${services.get(at) ?? (at === "" ? "远程仓库" : ` ${at} `)}上的数据。`,
      "这会立即影响其他人，VoxPilot 无法撤销。",
    ],
    unread: () => ["运行 VoxPilot 无法检查的代码。", ""],
    outside: (of) =>
      of === "" ? ["访问此对话的文件夹之外的文件。", ""] : ["访问此对话的文件夹之外的文件：", `${of}。`],
    unclear: (of, _at, _files, targets) => [
      "VoxPilot 无法判断请求中此字段的作用。",
      of === "" ? "" : targets === 1 ? `值：${of}。` : `相互冲突的值：${of}。`,
    ],
  },
  place: (path) => (path === "." ? "当前文件夹" : path === ".." ? "上级文件夹" : path),
  and: (names) =>
    names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join("、")} 和 ${names.at(-1)}`,
};
