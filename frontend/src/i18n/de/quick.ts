// German strings for the quick prompt.

import type { quick as english } from "../quick";
import type { Translated } from "../translated";

export const quick: Translated<typeof english> = {
  title: "Schnelleingabe",
  message: "Nachricht",
  placeholder: "Eine Änderung oder eine Frage",
  sendTo: "Senden an",
  newChat: { before: "Neuer Chat in ", after: "" },
  states: {
    running: "Läuft, Nachricht wird eingereiht",
    waiting: "Braucht dich, Nachricht wird eingereiht",
    signin: "Anmeldung nötig",
    trust: "Wartet, bis du dem Ordner vertraust",
    crashed: "Unerwartet beendet",
    failed: "Fehlgeschlagen",
    unread: "Neue Antwort",
  },
  model: "Modell",
  choose: "wählen",
  close: "schließen",
  send: "Senden",
  none: "Noch keine Chats. „Senden“ öffnet VoxPilot mit diesem Text.",
};
