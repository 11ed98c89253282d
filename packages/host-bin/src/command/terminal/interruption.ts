/**
 * The first Ctrl-C aborts `signal`, the second ends the process. `stop` acts like Ctrl-C, for input that reads the key
 * itself.
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal, stop: () => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on("SIGINT", stop);
  try {
    return await work(controller.signal, stop);
  } finally {
    process.off("SIGINT", stop);
  }
}
