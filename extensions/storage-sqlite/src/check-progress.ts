import type { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import * as z from "zod";

const positionSchema = z.tuple([z.string(), z.string()]);
export type RowPosition = z.infer<typeof positionSchema>;

/**
 * Killing the process leaves the file as the system has it, so checked rows stay valid; only a reboot invalidates
 * them.
 */
export class CheckProgress {
  readonly #database: () => Database;
  readonly #boot: string | undefined;

  /** @param boot Id of the system's start; if absent, every check begins with the first row. */
  constructor(database: () => Database, boot: string | undefined) {
    this.#database = database;
    this.#boot = boot;
  }

  get isDone(): boolean {
    return this.#boot !== undefined && this.#read("checked-until") === "end" && this.#isOfThisBoot;
  }

  get position(): RowPosition | undefined {
    if (this.#boot === undefined || !this.#isOfThisBoot) return undefined;
    try {
      return positionSchema.safeParse(JSON.parse(this.#read("checked-until") ?? "null")).data;
    } catch {
      return undefined;
    }
  }

  note(position: RowPosition | "end"): void {
    if (this.#boot === undefined) return;
    const text = position === "end" ? position : JSON.stringify(position);
    try {
      this.#database()
        .query("INSERT OR REPLACE INTO state (name, value) VALUES ('checked-in-boot', ?), ('checked-until', ?)")
        .run(this.#boot, text);
    } catch {
      // The disk may be full: the next start merely repeats some checks.
    }
  }

  get #isOfThisBoot(): boolean {
    return this.#read("checked-in-boot") === this.#boot;
  }

  #read(name: string): string | undefined {
    const value: unknown = this.#database().query("SELECT value FROM state WHERE name = ?").values(name)[0]?.[0];
    return typeof value === "string" ? value : undefined;
  }
}

/** `undefined` where the system has no id. */
export function bootName(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return undefined;
  }
}
