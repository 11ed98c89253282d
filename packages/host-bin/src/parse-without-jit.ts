import * as z from "zod";

/**
 * Schemas that are made from now on parse as they are: else code is generated for each of them when it first parses, and most
 * parse too seldom in the life of a command, or of a host, to make up for it.
 */
export function parseWithoutJit(): void {
  z.config({ jitless: true });
}
