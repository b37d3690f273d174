// Words about newer versions of VoxPilot.

export const updates = {
  title: "Updates",
  off: "This build does not look for updates. Install the newest version the way you installed this one.",
  idle: "VoxPilot has not looked for a newer version yet.",
  checking: "Looking for a newer version…",
  none: "This is the newest version.",
  failed: "VoxPilot did not find out whether there is a newer version.",
  available: (version: string) => `VoxPilot ${version} is out.`,
  downloading: (version: string) => `VoxPilot ${version} is being downloaded…`,
  progress: (got: string, size: string) => `${got} of ${size}`,
  ready: (version: string) => `VoxPilot ${version} is downloaded and verified.`,
  readyFact: "VoxPilot quits, installs it and opens again. You choose when.",
  packageFact: "VoxPilot downloads the package and verifies it. You install it with one command.",
  commandFact: "Your system installs it. Run this command in a terminal:",
  lastCheck: (ago: string) => `Last check ${ago}.`,
  check: "Check now",
  download: (size: string) => `Download, ${size}`,
  restart: "Restart to update",
  openImage: "Open image",
  tryAgain: "Try again",
  copyCommand: "Copy command",
  notes: (version: string) => `What is new in ${version}`,
  look: "Look for updates once a day",
  lookFact: "VoxPilot asks for the newest version and sends nothing about you or your work.",
  /** In the sidebar. */
  show: (version: string) => `VoxPilot ${version} is out`,
  showReady: (version: string) => `VoxPilot ${version} is ready`,
  hide: (version: string) => `Hide the notice of VoxPilot ${version}`,
  /** After the first start of a newer version. */
  migrated: "Your data was made ready for this version. A copy of it from before was kept.",
} as const;
