// The choice of the language. The languages themselves are called by their own
// names in each.

export const language = {
  label: "Language",
  fact: "Of the window. Copilot answers in the language you write in.",
  system: "As the system",
};
