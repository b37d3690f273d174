import type { english } from "../english";
import type { Translated } from "../translated";
import { account } from "./account";
import { agentSignIn } from "./agentSignIn";
import { blocks } from "./blocks";
import { card } from "./card";
import { chat } from "./chat";
import { composer } from "./composer";
import { desktop } from "./desktop";
import { firstRun } from "./firstrun";
import { goBack } from "./goback";
import { inspector } from "./inspector";
import { language } from "./language";
import { lines } from "./lines";
import { menu } from "./menu";
import { model, orchestrator } from "./model";
import { newChat } from "./newchat";
import { commands, palette } from "./palette";
import { plan } from "./plan";
import { question } from "./question";
import { quick } from "./quick";
import { review } from "./review";
import { reviewAgent } from "./reviewAgent";
import { reviewComments } from "./reviewComments";
import { reviewCommit } from "./reviewCommit";
import { reviewDraft } from "./reviewDraft";
import { reviewPull } from "./reviewPull";
import { reviewStage } from "./reviewStage";
import { sandbox } from "./sandbox";
import { search } from "./search";
import { sessions } from "./sessions";
import { settings } from "./settings";
import { common, shell } from "./shell";
import { trust } from "./trust";
import { undo } from "./undo";
import { units } from "./units";
import { updates } from "./updates";

export const german: Translated<typeof english> = {
  agentSignIn,
  common,
  units,
  language,
  shell,
  firstRun,
  newChat,
  menu,
  commands,
  palette,
  plan,
  question,
  quick,
  sandbox,
  search,
  sessions,
  settings,
  desktop,
  updates,
  account,
  card,
  chat,
  composer,
  blocks,
  lines,
  inspector,
  model,
  orchestrator,
  trust,
  review,
  reviewCommit,
  reviewDraft,
  reviewPull,
  reviewStage,
  reviewComments,
  reviewAgent,
  undo,
  goBack,
};
