const events = ["uncaughtException", "unhandledRejection"] as const;

/** Exits on an uncaught error unless other handlers are installed, such as by a host in this process. */
export function restoreTerminalAtExit(stop: () => void): Disposable {
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
