import type { IUnicodeVersionProvider } from "@xterm/headless";

const joined = 1;
const afterJoiner = 1;
const afterRegion = 2;
const keycap = 0x20e3;

/** Encodes a character's cluster width, whether it joins the previous one, and the state for the next. */
function worth(width: number, join: number, state: number): number {
  return (state << 3) | (width << 1) | join;
}

/**
 * As current terminals count grapheme clusters (UAX 29, as far as tests use it); the default of `@xterm/headless`
 * counts each code point of an emoji.
 */
export const graphemeWidths: IUnicodeVersionProvider = {
  version: "graphemes",
  wcwidth: (code) => width(code),
  charProperties(code, before) {
    const widthBefore = (before >> 1) & 3;
    const stateBefore = before >> 3;
    if (code === 0x200d) return worth(widthBefore, joined, afterJoiner);
    if (code === 0xfe0f) return worth(2, joined, 0);
    if (code === keycap) return worth(widthBefore, joined, 0);
    const isModifier = code >= 0x1f3fb && code <= 0x1f3ff;
    if (stateBefore === afterJoiner || isModifier) return worth(Math.max(widthBefore, 2), joined, 0);
    const isRegion = code >= 0x1f1e6 && code <= 0x1f1ff;
    if (isRegion) return stateBefore === afterRegion ? worth(2, joined, 0) : worth(2, 0, afterRegion);
    const own = width(code);
    return own === 0 && widthBefore > 0 ? worth(widthBefore, joined, 0) : worth(own, 0, 0);
  },
};

function width(code: number): 0 | 1 | 2 {
  if (/\p{Spacing_Mark}/u.test(String.fromCodePoint(code))) return 1;
  const cells = Bun.stringWidth(String.fromCodePoint(code));
  return cells === 2 ? 2 : cells === 0 ? 0 : 1;
}
