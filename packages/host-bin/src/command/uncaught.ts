/**
 * What nobody caught: of an extension, it is noted in its health, and the host goes on. Of the host itself, nobody can say
 * what it has left undone: the process ends, and what was acknowledged is recovered at the next start.
 */
export function handleUncaught(attribute: (error: unknown) => boolean, err: (text: string) => void): void {
  const handle = (error: unknown): void => {
    if (attribute(error)) return;
    err(`The host failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  };
  process.on("uncaughtException", handle);
  process.on("unhandledRejection", handle);
}
