// Writes the root attributes before the first paint, so that the window never
// flashes in the wrong colours. It runs before the application is loaded and
// therefore knows only what the application left in localStorage: the choices
// {theme, contrast, motion, text, code} of the settings, as JSON under "voxpilot.look".
(() => {
  let look = {};
  try {
    look = JSON.parse(localStorage.getItem("voxpilot.look") || "{}") || {};
  } catch {
    // Nothing kept, or nothing readable: the system's choice is taken.
  }
  const says = (query) => window.matchMedia(query).matches;
  const root = document.documentElement.dataset;
  if (navigator.platform.startsWith("Linux")) root.os = "linux";
  // WebKitGTK draws dark text on light thinner than others: styles/tokens.css.
  if (root.os === "linux" && /AppleWebKit/.test(navigator.userAgent) && !/Chrom/.test(navigator.userAgent))
    root.engine = "webkitgtk";
  root.theme =
    look.theme === "light" || look.theme === "dark"
      ? look.theme
      : says("(prefers-color-scheme: dark)")
        ? "dark"
        : "light";
  root.contrast =
    look.contrast === "more" || (look.contrast !== "normal" && says("(prefers-contrast: more)"))
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
