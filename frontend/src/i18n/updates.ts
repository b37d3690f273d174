// Strings about newer versions of VoxPilot.

export const updates = {
  title: "Updates",
  off: "This build doesn't check for updates. To update, install the latest version the way you installed this one.",
  idle: "VoxPilot hasn't checked for updates yet.",
  checking: "Checking for updates…",
  none: "VoxPilot is up to date.",
  failed: "Couldn't check for updates.",
  available: (version: string) => `VoxPilot ${version} is available.`,
  downloading: (version: string) => `Downloading VoxPilot ${version}…`,
  progress: (got: string, size: string) => `${got} of ${size}`,
  ready: (version: string) => `VoxPilot ${version} has been downloaded and verified.`,
  readyFact: "VoxPilot will quit, install the update and reopen. You choose when.",
  packageFact: "VoxPilot downloads and verifies the package. You install it with one command.",
  commandFact: "To install it with your package manager, run this command in a terminal:",
  lastCheck: (ago: string) => `Last checked ${ago}.`,
  check: "Check now",
  download: (size: string) => `Download (${size})`,
  restart: "Restart to update",
  openImage: "Open disk image",
  tryAgain: "Try again",
  copyCommand: "Copy command",
  notes: (version: string) => `What's new in ${version}`,
  checkDaily: "Check for updates daily",
  checkDailyFact:
    "VoxPilot only asks which version is the latest. It doesn't send anything about you or your work.",
  /** Shown in the sidebar. */
  show: (version: string) => `VoxPilot ${version} is available`,
  showReady: (version: string) => `VoxPilot ${version} is ready`,
  hide: (version: string) => `Dismiss the VoxPilot ${version} notice`,
  /** Shown after a newer version has started for the first time. */
  migrated: "Your data was upgraded for this version. VoxPilot kept a backup of the old data.",
} as const;
