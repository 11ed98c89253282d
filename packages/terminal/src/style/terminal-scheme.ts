import type { TUI } from "@earendil-works/pi-tui";
import type { Scheme } from "./style.ts";

/** A terminal that knows answers at once, and one that does not never. */
const answerWithinMs = 500;

/** What the environment says of the background: `COLORFGBG` is `FOREGROUND;BACKGROUND`, of which 7 and 15 are light. */
export function schemeOf(env: Readonly<Record<string, string | undefined>>): Scheme {
  const background = env["COLORFGBG"]?.split(";").at(-1);
  return background === "7" || background === "15" ? "light" : "dark";
}

/** What the terminal says of its background, by the answer that comes first; `undefined`: it does not say. */
export async function askForScheme(tui: TUI): Promise<Scheme | undefined> {
  const options = { timeoutMs: answerWithinMs };
  const answers = [
    tui.queryTerminalColorScheme(options),
    schemeOfBackground(tui.queryTerminalBackgroundColor(options)),
  ];
  return Promise.any(answers.map(said)).catch(() => undefined);
}

async function schemeOfBackground(
  asked: ReturnType<TUI["queryTerminalBackgroundColor"]>,
): Promise<Scheme | undefined> {
  const colour = await asked;
  if (colour === undefined) return undefined;
  // How bright it is to an eye (ITU-R BT.601).
  return 0.299 * colour.r + 0.587 * colour.g + 0.114 * colour.b > 127 ? "light" : "dark";
}

async function said(asked: Promise<Scheme | undefined>): Promise<Scheme> {
  const scheme = await asked;
  if (scheme === undefined) throw new Error("The terminal does not say");
  return scheme;
}
