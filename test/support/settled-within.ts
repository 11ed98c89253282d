export async function settledWithin(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
