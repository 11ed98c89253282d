import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const sessionSchema = z.object({
  cwd: z.string(),
  heard: z.array(z.array(z.string())),
  model: z.string().optional(),
});
type Session = z.output<typeof sessionSchema>;

const sessionsSchema = z.record(z.string(), sessionSchema);

/** Stored across the agent's processes. */
export class AgentSessions {
  readonly #path: string;
  readonly #all: Map<string, Session>;

  constructor(folder: string) {
    this.#path = join(folder, "sessions.json");
    const stored: unknown = existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, "utf8")) : {};
    this.#all = new Map(Object.entries(sessionsSchema.parse(stored)));
  }

  begin(cwd: string): string {
    const id = `session-${this.#all.size + 1}`;
    this.change(id, { cwd, heard: [] });
    return id;
  }

  get(id: string): Session | undefined {
    return this.#all.get(id);
  }

  change(id: string, session: Session): void {
    this.#all.set(id, session);
    writeFileSync(this.#path, JSON.stringify(Object.fromEntries(this.#all)));
  }
}
