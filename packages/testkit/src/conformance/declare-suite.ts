import { describe, test } from "bun:test";

export interface Suite<Name extends string, Subject> {
  readonly promises: Readonly<Record<Name, (subject: Subject) => Promise<void>>>;
  /** What this implementation cannot do, and why: runs as a test that has to fail. */
  readonly lacks: Readonly<Partial<Record<Name, string>>> | undefined;
  /** What cannot be asked of this kind of implementation, and why: is shown as skipped. */
  readonly skips?: ReadonlyMap<string, string>;
  /** Makes a new subject, hands it to the check, and takes it away again. */
  readonly onSubject: (keep: (subject: Subject) => Promise<void>) => Promise<void>;
}

/** Behind all deadlines of a promise, whose messages say what was waited for. */
const testTimeoutMs = 120_000;

/** One test for each promise; a gap that was closed turns red until its entry in `lacks` is taken out. */
export function declareSuite<Name extends string, Subject>(
  label: string,
  { promises, lacks, skips = new Map(), onSubject }: Suite<Name, Subject>,
): void {
  const gaps = new Map(Object.entries<string | undefined>(lacks ?? {}));
  describe(label, () => {
    for (const [name, keep] of Object.entries<(subject: Subject) => Promise<void>>(promises)) {
      const gap = gaps.get(name);
      const skip = skips.get(name);
      const run = (): Promise<void> => onSubject(keep);
      if (skip !== undefined) test.skip(`${name} (${skip})`, run);
      else if (gap === undefined) test(name, run, testTimeoutMs);
      else test.failing(`${name} (lacks it: ${gap})`, run, testTimeoutMs);
    }
  });
}
