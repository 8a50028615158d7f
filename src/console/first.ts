/**
 * What runs before the first paint, in the text of the page (scripts/console/inline.ts): the theme that was chosen on
 * this device, what is painted first (index.html), and the first questions to the service.
 */
import { storedTheme } from "./lib/theme.ts";
import { askEarly } from "./session/early.ts";
import { readSession } from "./session/kept.ts";

const theme = storedTheme();
if (theme !== "system") document.documentElement.dataset["theme"] = theme;
const session = readSession();
if (session) askEarly(session, location);
else document.documentElement.dataset["guest"] = "";
