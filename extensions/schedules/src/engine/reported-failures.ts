const firstWaitMs = 1_000;
const longestWaitMs = 300_000;

interface Trouble {
  readonly failures: number;
  readonly message: string;
  readonly againMs: number;
}

/** The wait doubles with each failure, up to five minutes. */
export class ReportedFailures {
  readonly #byName = new Map<string, Trouble>();

  failed(name: string, message: string, { nowMs }: { readonly nowMs: number }): number {
    const failures = (this.#byName.get(name)?.failures ?? 0) + 1;
    const waitMs = Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
    this.#byName.set(name, { failures, message, againMs: nowMs + waitMs });
    return waitMs;
  }

  over(name: string): void {
    this.#byName.delete(name);
  }

  textOf(name: string): string | null {
    const trouble = this.#byName.get(name);
    if (trouble === undefined) return null;
    return `${trouble.message}; retrying at ${new Date(trouble.againMs).toISOString()}`;
  }
}

export const allSchedules = "schedules";
