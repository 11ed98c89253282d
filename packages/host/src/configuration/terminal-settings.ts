import * as z from "zod";

export function terminalKeys() {
  return {
    /** `main` keeps output in the terminal's own scrollback. */
    screen: z.enum(["main", "alternate"]).default("main"),
    theme: z.enum(["auto", "dark", "light"]).default("auto"),
    screen_reader: z.boolean().default(false),
  };
}

export type TerminalSettings = z.output<z.ZodObject<ReturnType<typeof terminalKeys>>>;

export function terminalSettings(written: unknown): TerminalSettings | undefined {
  return z.strictObject(terminalKeys()).prefault({}).safeParse(written).data;
}
