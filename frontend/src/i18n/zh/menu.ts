import type { menu as english } from "../menu";
import type { Translated } from "../translated";

export const menu: Translated<typeof english> = {
  text: "文本",
  field: "文本框",
  link: "链接",
  file: "文件",
  image: "图片",
  code: "代码",
  message: "消息",
  cut: "剪切",
  copy: "复制",
  paste: "粘贴",
  selectAll: "全选",
  quote: "在消息中引用",
  openLink: "打开链接…",
  copyLink: "复制链接",
  openFile: "在编辑器中打开",
  blame: "逐行溯源",
  copyPath: "复制路径",
  copyCode: "复制代码",
  copyImage: "复制图片",
  saveImage: "保存图片…",
  copyMarkdown: "复制为 Markdown",
  copyMessage: "复制消息",
  failed: {
    copy: "无法复制。",
    paste: "无法粘贴。",
    save: "无法保存图片。",
    open: "无法打开。",
  },
  saved: "图片已保存。",
};
