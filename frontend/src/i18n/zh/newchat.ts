import type { newChat as english } from "../newchat";
import type { Translated } from "../translated";

const count = new Intl.NumberFormat("zh-CN");

export const newChat: Translated<typeof english> = {
  title: "新对话",
  folder: (name) => `文件夹：${name}`,
  completion: {
    label: "文件夹",
    found: (n) => `${n} 个文件夹。按方向键选择，按 Tab 补全。`,
  },
  noFolder: "选择文件夹",
  noFolderFacts: (who) => `${who} 在你选择的文件夹中工作。除非你放宽权限，否则它行动前会询问。`,
  practiceFolder: "练习文件夹",
  practiceFacts: "一个小型示例项目。回答来自内置脚本，而不是 AI。",
  checking: "正在检查文件夹…",
  missing: "此文件夹不存在。",
  noGit: "不是 Git 仓库",
  git: (branch, changed) => (changed === 0 ? branch : `${branch}，${count.format(changed)} 个文件未提交`),
  composer: "输入框",
  message: "消息",
  placeholder: (folder) => `要在 ${folder} 中更改什么？`,
  placeholderNone: "要更改什么？",
  placeholderPractice: "提一个更改要求，看看如何运作",
  send: "发送",
  hint: "Enter 发送，Shift+Enter 换行。图片可拖放到窗口任意位置。",
  modeOwn: "智能体的默认模式",
  practiceFact: "内置脚本，不需要账户",
  practiceOff: "找到 Copilot CLI 之前不可用",
  tooLarge: "此消息大于 1 MB。请缩短它，或将文本放入文件并提及该文件。",
  startFrom: "从这里开始",
  suggestions: {
    review: "审查我未提交的更改",
    tests: "为上一次提交编写测试",
    explain: "说明此文件夹的组织方式",
  },
  // The practice script recognizes requests by keywords in each language (backend/practice/guide.go).
  practiceSuggestions: {
    fix: "修正问候语",
    run: "运行脚本",
    story: "给我讲一个长故事",
  },
  recent: "此文件夹中最近的对话",
  picker: {
    title: "文件夹",
    recent: "最近的文件夹",
    path: "文件夹路径",
    placeholder: "输入或粘贴路径",
    use: "使用此文件夹",
  },
};
