// Runs before every test file and its setup. Test files share a jsdom, because creating one takes longer
// than running most files. Each file gets an empty page and its own instances of all modules, and thus its
// own state.
import { vi } from "vitest";

vi.resetModules();
document.body.replaceChildren();
localStorage.clear();
sessionStorage.clear();
