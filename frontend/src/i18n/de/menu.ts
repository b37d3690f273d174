// German strings for the context menus.

import type { menu as english } from "../menu";
import type { Translated } from "../translated";

export const menu: Translated<typeof english> = {
  text: "Text",
  field: "Textfeld",
  link: "Link",
  file: "Datei",
  image: "Bild",
  code: "Code",
  message: "Nachricht",
  cut: "Ausschneiden",
  copy: "Kopieren",
  paste: "Einfügen",
  selectAll: "Alles auswählen",
  quote: "In der Nachricht zitieren",
  openLink: "Link öffnen…",
  copyLink: "Link kopieren",
  openFile: "Im Editor öffnen",
  blame: "Herkunft der Zeilen",
  copyPath: "Pfad kopieren",
  copyCode: "Code kopieren",
  copyImage: "Bild kopieren",
  saveImage: "Bild speichern…",
  copyMarkdown: "Als Markdown kopieren",
  copyMessage: "Nachricht kopieren",
  failed: {
    copy: "Kopieren nicht möglich.",
    paste: "Einfügen nicht möglich.",
    save: "Das Bild konnte nicht gespeichert werden.",
    open: "Öffnen nicht möglich.",
  },
  saved: "Das Bild ist gespeichert.",
};
