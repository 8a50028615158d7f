/**
 * The script that runs before the first paint, in the text of the page (scripts/console/inline.ts): it applies the
 * theme that was chosen on this device, picks the part that is painted first (index.html), and asks the service the
 * first questions.
 */
import { storedTheme } from "./lib/theme.ts";
import { askEarly } from "./session/early.ts";
import { readSession } from "./session/kept.ts";

const theme = storedTheme();
if (theme !== "system") document.documentElement.dataset["theme"] = theme;
const session = readSession();
if (session) askEarly(session, location);
else document.documentElement.dataset["guest"] = "";
