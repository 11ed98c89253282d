import * as z from "zod";

/** How "incipit" shows a conversation where somebody sits at a terminal: the keys of `[terminal]`. */
export function terminalKeys() {
  return {
    /** `main`: what was said stays in the terminal's own scrollback. `alternate`: a screen of its own, which scrolls itself. */
    screen: z.enum(["main", "alternate"]).default("main"),
    /** `auto`: as the terminal says when it is asked. */
    theme: z.enum(["auto", "dark", "light"]).default("auto"),
    /** Lines that a screen reader can read out, and that are not written again. */
    screen_reader: z.boolean().default(false),
  };
}

export type TerminalSettings = z.output<z.ZodObject<ReturnType<typeof terminalKeys>>>;

/** What a file says in `[terminal]`, without a look at the rest of it; `undefined`: something in it is wrong. */
export function terminalSettings(written: unknown): TerminalSettings | undefined {
  return z.strictObject(terminalKeys()).prefault({}).safeParse(written).data;
}
