/** isMac determines whether shortcuts use Command instead of Control, and how keys are named. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
