/** isMac decides between Command and Control, and between their names. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
