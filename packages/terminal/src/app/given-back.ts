/** What can end the process without anybody who catches it. */
const events = ["uncaughtException", "unhandledRejection"] as const;

/**
 * Gives the terminal back when the process ends in whatever way it still notices. An error that nobody caught ends it, but where
 * somebody else, such as a host in this process, decides about those.
 * @param stop Writes what a terminal needs to be as it was found; not called again once the result was disposed of.
 */
export function givenBackAtExit(stop: () => void): Disposable {
  const end = (error: unknown): void => {
    if (events.some((event) => process.listenerCount(event) > 1)) return;
    stop();
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.off("exit", stop);
    process.exit(1);
  };
  process.once("exit", stop);
  for (const event of events) process.on(event, end);
  return {
    [Symbol.dispose]: () => {
      process.off("exit", stop);
      for (const event of events) process.off(event, end);
    },
  };
}
