export interface WithinOptions {
  /** What is waited for, such as `the stream to end`. */
  readonly what: string;
  /** Real time: a test that hangs fails, and says on what. */
  readonly deadlineMs: number;
}

/** How long a conformance suite waits for anything, unless it is told otherwise. */
export const defaultDeadlineMs = 10_000;

/** @throws when `work` rejects, or has not settled after `deadlineMs`. */
export async function within<Result>(work: Promise<Result>, { what, deadlineMs }: WithinOptions): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`Waited ${deadlineMs} ms in vain for ${what}`)), deadlineMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
