import type { Log } from "../contract/capabilities.ts";
import type { DamageReport } from "../contract/kernel.ts";
import { readKernelError } from "../failures/read-kernel-error.ts";

const maxKept = 100;

/** Across generations; logs each record once. */
export class DamagedRecords {
  readonly #log: Log;
  readonly #found = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Accepts any thrown value; records only damage. */
  note(error: unknown): void {
    const { code, message } = readKernelError(error) ?? {};
    if (code !== "STORED_VALUE_INVALID" || message === undefined) return;
    if (this.#found.has(message) || this.#found.size >= maxKept) return;
    this.#found.add(message);
    this.#log.error(message);
  }

  report(): DamageReport | undefined {
    const [first] = this.#found;
    return first === undefined ? undefined : { count: this.#found.size, first };
  }
}
