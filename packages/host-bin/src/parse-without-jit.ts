import * as z from "zod";

/**
 * Disables code generation of zod for schemas created from now on: most schemas parse too rarely in a command or a host
 * to repay it.
 */
export function parseWithoutJit(): void {
  z.config({ jitless: true });
}
