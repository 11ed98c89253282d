import * as z from "zod";

/** Most schemas parse too rarely in a command or a host to repay code generation. */
export function parseWithoutJit(): void {
  z.config({ jitless: true });
}
