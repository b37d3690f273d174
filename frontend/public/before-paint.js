// Sets the root attributes before the first paint, so that the window never flashes in
// the wrong colors. It runs before the app is loaded, so it knows only the settings that
// the app stored in localStorage: {theme, contrast, motion, text, code}, as JSON under
// "voxpilot.look".
(() => {
  let look = {};
  try {
    look = JSON.parse(localStorage.getItem("voxpilot.look") || "{}") || {};
  } catch {
    // Nothing stored, or not readable: the system's settings apply.
  }
  const matches = (query) => window.matchMedia(query).matches;
  const root = document.documentElement.dataset;
  if (navigator.platform.startsWith("Linux")) root.os = "linux";
  // WebKitGTK draws dark text on light backgrounds thinner than other engines do
  // (styles/tokens.css).
  if (root.os === "linux" && /AppleWebKit/.test(navigator.userAgent) && !/Chrom/.test(navigator.userAgent))
    root.engine = "webkitgtk";
  root.theme =
    look.theme === "light" || look.theme === "dark"
      ? look.theme
      : matches("(prefers-color-scheme: dark)")
        ? "dark"
        : "light";
  root.contrast =
    look.contrast === "more" || (look.contrast !== "normal" && matches("(prefers-contrast: more)"))
      ? "more"
      : "normal";
  if (look.code === "system") root.code = look.code;
  root.text = ["small", "large", "larger"].includes(look.text) ? look.text : "normal";
  if (look.motion === "full" || look.motion === "reduced") {
    root.motion = look.motion;
  } else {
    delete root.motion;
  }
})();
