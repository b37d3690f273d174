// German strings for the blocks of delegated sessions.

import type { blocks as english } from "../blocks";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;

export const blocks: Translated<typeof english> = {
  showAll: "Alles anzeigen",
  showLess: "Weniger anzeigen",
  requestFailed: "Der vollständige Auftrag konnte nicht geladen werden.",
  earlierTools: (n) => `${plural(n, "früheren Werkzeugaufruf", "frühere Werkzeugaufrufe")} anzeigen`,
  olderTools: "Frühere Werkzeugaufrufe anzeigen",
  spoken: (added, removed, files) => {
    const counts = [
      added > 0 ? `${number.format(added)} hinzugefügt` : "",
      removed > 0 ? `${number.format(removed)} entfernt` : "",
    ].filter((part) => part !== "");
    const where = plural(files, "Datei", "Dateien");
    return counts.length === 0 ? where : `${counts.join(", ")} in ${where}`;
  },
  ended: {
    session: (agent, session) => `${agent} ${session}`,
    done: (who, facts) => (facts === "" ? `${who} ist fertig` : `${who} ist fertig, ${facts}`),
    stopped: (who) => `${who} wurde gestoppt`,
    interrupted: (who) => `${who} wurde unterbrochen`,
    limit: (who) => `${who} hat sein Limit erreicht`,
    declined: (who) => `${who} hat diesen Auftrag abgelehnt`,
    failed: (who, why) =>
      why === ""
        ? `${who} konnte das nicht abschließen`
        : `${who} ist fehlgeschlagen: ${why.replace(/\.$/, "")}`,
    all: (sentences, others) =>
      [...sentences, others > 0 ? `${number.format(others)} weitere beendet` : ""]
        .filter((part) => part !== "")
        .join("; "),
  },
  declined: (agent) => `${agent} hat diesen Auftrag abgelehnt.`,
  limit: (agent) => `${agent} hat sein Limit erreicht.`,
  failed: (agent) => `${agent} konnte das nicht abschließen.`,
};
