import { join } from "node:path";
import * as z from "zod";

/** What `try-terminals.ts` saw last, beside it. */
export const seenPath = "seen.json";

const seenSchema = z.record(
  z.string(),
  z.record(z.string(), z.object({ verdict: z.enum(["yes", "partly", "no"]), saw: z.string() })),
);

export type Seen = z.infer<typeof seenSchema>;

/** Reads what was seen of each terminal in each row of the table. */
export async function readSeen(): Promise<Seen> {
  const file = Bun.file(join(import.meta.dir, seenPath));
  return (await file.exists()) ? seenSchema.parse(await file.json()) : {};
}
