import type { blocks as english } from "../blocks";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("zh-CN");

export const blocks: Translated<typeof english> = {
  showAll: "显示全部",
  showLess: "收起",
  requestFailed: "无法加载完整的请求。",
  earlierTools: (n) => `显示更早的 ${number.format(n)} 次工具调用`,
  olderTools: "显示更早的工具调用",
  spoken: (added, removed, files) => {
    const counts = [
      added > 0 ? `新增 ${number.format(added)} 行` : "",
      removed > 0 ? `删除 ${number.format(removed)} 行` : "",
    ].filter((part) => part !== "");
    return [`${number.format(files)} 个文件`, ...counts].join("，");
  },
  interrupted: (session) => `Copilot ${session} 已中断`,
  declined: "Copilot 拒绝了此请求。",
  limit: "Copilot 已达到上限。",
  failed: "Copilot 未能完成。",
};
