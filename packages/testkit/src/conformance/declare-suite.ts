import { describe, test } from "bun:test";

export interface Suite<Name extends string, Subject> {
  readonly promises: Readonly<Record<Name, (subject: Subject) => Promise<void>>>;
  /** Run as tests that have to fail. */
  readonly lacks: Readonly<Partial<Record<Name, string>>> | undefined;
  readonly skips?: ReadonlyMap<string, string>;
  readonly onSubject: (keep: (subject: Subject) => Promise<void>) => Promise<void>;
}

/** Deadlines within a test are shorter: their messages are more specific. */
const testTimeoutMs = 120_000;

/** A closed gap fails until its entry in `lacks` is removed. */
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
