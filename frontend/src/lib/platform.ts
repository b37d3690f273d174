/** isMac selects Command instead of Control, and the key names. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
