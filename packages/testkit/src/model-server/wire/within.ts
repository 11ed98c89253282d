export interface WithinOptions {
  /** Such as `the stream to end`. */
  readonly what: string;
  /** Real time, so that a hanging test fails with a message. */
  readonly deadlineMs: number;
}

export const defaultDeadlineMs = 10_000;

/** @throws when `work` rejects, or has not settled in time. */
export async function within<Result>(work: Promise<Result>, { what, deadlineMs }: WithinOptions): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`Waited ${deadlineMs} ms in vain for ${what}`)), deadlineMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
