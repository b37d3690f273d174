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
  ended: {
    session: (agent, session) => `${agent} ${session}`,
    done: (who, facts) => (facts === "" ? `${who} 已完成` : `${who} 已完成，${facts}`),
    stopped: (who) => `${who} 已停止`,
    interrupted: (who) => `${who} 已中断`,
    limit: (who) => `${who} 已达到上限`,
    declined: (who) => `${who} 拒绝了此请求`,
    failed: (who, why) => (why === "" ? `${who} 未能完成` : `${who} 失败：${why.replace(/[.。]$/, "")}`),
    all: (sentences, others) =>
      [...sentences, others > 0 ? `另有 ${number.format(others)} 项已结束` : ""]
        .filter((part) => part !== "")
        .join("；"),
  },
  declined: (agent) => `${agent} 拒绝了此请求。`,
  limit: (agent) => `${agent} 已达到上限。`,
  failed: (agent) => `${agent} 未能完成。`,
};
