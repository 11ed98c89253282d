/** None, the 16 of the terminal's theme, or xterm's 256. */
export type ColourDepth = 0 | 16 | 256;

/**
 * https://no-color.org and https://force-color.org ignore empty variables; `FORCE_COLOR` is a level as in Node.js: 0
 * none, 1 16 colours, 2 and 3 more.
 */
export function colourDepth(env: Readonly<Record<string, string | undefined>>): ColourDepth {
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return forced === "0" || forced === "false" ? 0 : forced === "2" || forced === "3" ? 256 : 16;
  if ((env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb") return 0;
  const colours = env["COLORTERM"] ?? "";
  return colours === "truecolor" ||
    colours === "24bit" ||
    /256|kitty|ghostty|alacritty|wezterm/.test(env["TERM"] ?? "")
    ? 256
    : 16;
}
