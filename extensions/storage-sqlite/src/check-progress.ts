import type { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import * as z from "zod";

const positionSchema = z.tuple([z.string(), z.string()]);
/** Namespace and key of a row. */
export type RowPosition = z.infer<typeof positionSchema>;

/**
 * How far a file was looked through since the machine started. A host that is killed leaves the file as the system has it, so
 * what was found to be whole stays so; only another start of the machine, a loss of power perhaps, makes it uncertain.
 */
export class CheckProgress {
  readonly #database: () => Database;
  readonly #boot: string | undefined;

  /** @param boot Names this start of the machine; absent: it has no name here, and a check begins with the first row. */
  constructor(database: () => Database, boot: string | undefined) {
    this.#database = database;
    this.#boot = boot;
  }

  /** Whether nothing is left to be looked at. */
  get isDone(): boolean {
    return this.#boot !== undefined && this.#read("checked-until") === "end" && this.#isOfThisBoot;
  }

  /** The last row that was looked at; `undefined`: none. */
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
      // A full disk, perhaps: the next start looks at more than it had to.
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

/** A name of this start of the machine; `undefined` where the system gives none. */
export function bootName(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return undefined;
  }
}
