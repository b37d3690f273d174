// All shots of the gallery. Each part of the window has its own file.

import { shots as account } from "./account";
import { shots as agentSignIn } from "./agentSignIn";
import { shots as ask } from "./ask";
import { shots as blocks } from "./blocks";
import { shots as cards } from "./cards";
import { shots as composer } from "./composer";
import { shots as edges } from "./edges";
import { shots as find } from "./find";
import { shots as goBack } from "./goback";
import { shots as inspector } from "./inspector";
import { shots as menus } from "./menus";
import { shots as moments } from "./moments";
import { shots as plain } from "./plain";
import { shots as asked } from "./previews";
import { shots as questions } from "./questions";
import { shots as quick } from "./quick";
import { shots as read } from "./read";
import { shots as requests } from "./requests";
import { shots as review } from "./review";
import { shots as reviewAgent } from "./reviewAgent";
import { shots as reviewCommit } from "./reviewCommit";
import { shots as sandbox } from "./sandbox";
import { shots as sessions } from "./sessions";
import { shots as shell } from "./shell";
import type { Shot } from "./shot";
import { shots as sizes } from "./sizes";
import { shots as transcript } from "./transcript";
import { shots as trust } from "./trust";
import { shots as undo } from "./undo";
import { shots as updates } from "./updates";

export { now } from "./shot";
export const shots: Shot[] = [
  ...shell,
  ...account,
  ...agentSignIn,
  ...transcript,
  ...blocks,
  ...plain,
  ...asked,
  ...cards,
  ...ask,
  ...composer,
  ...find,
  ...inspector,
  ...read,
  ...quick,
  ...sizes,
  ...trust,
  ...sandbox,
  ...sessions,
  ...undo,
  ...review,
  ...reviewCommit,
  ...reviewAgent,
  ...goBack,
  ...updates,
  ...edges,
  ...requests,
  ...questions,
  ...menus,
  ...moments,
];
