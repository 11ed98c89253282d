import type { RgbColor, TUI } from "@earendil-works/pi-tui";
import type { Scheme } from "./style.ts";

/** For terminals without a reply; a later reply still counts. */
const answerWithinMs = 500;

/** `FOREGROUND;BACKGROUND`; 7 and 15 are light. */
export function schemeOf(env: Readonly<Record<string, string | undefined>>): Scheme {
  const background = env["COLORFGBG"]?.split(";").at(-1);
  return background === "7" || background === "15" ? "light" : "dark";
}

export function followScheme(tui: TUI, onScheme: (scheme: Scheme) => void): void {
  tui.onTerminalColorSchemeChange(onScheme);
  tui.setTerminalColorSchemeNotifications(true);
  const take = ({ background }: { readonly background?: RgbColor | undefined }): void => {
    if (background !== undefined) onScheme(schemeOfBackground(background));
  };
  void tui.queryTerminalColors({ timeoutMs: answerWithinMs, onLateReply: take }).then(take);
}

function schemeOfBackground({ r, g, b }: RgbColor): Scheme {
  // Perceived brightness (ITU-R BT.601).
  return 0.299 * r + 0.587 * g + 0.114 * b > 127 ? "light" : "dark";
}
