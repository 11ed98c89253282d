import { join } from "node:path";
import * as z from "zod";

export const seenPath = "seen.json";

const seenSchema = z.record(
  z.string(),
  z.record(z.string(), z.object({ verdict: z.enum(["yes", "partly", "no"]), saw: z.string() })),
);

export type Seen = z.infer<typeof seenSchema>;

export async function readSeen(): Promise<Seen> {
  const file = Bun.file(join(import.meta.dir, seenPath));
  return (await file.exists()) ? seenSchema.parse(await file.json()) : {};
}
