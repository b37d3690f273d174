/** isMac is true on Apple systems, where shortcuts use Command instead of Control and keys have other names. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
