import { hanging } from "../output/error-text.ts";

/**
 * What nobody caught: where it can come from an extension of a folder, it is noted there, and the host goes on. Else it is
 * the host's own, and nobody can say what that has left undone: the process ends, and what was acknowledged is recovered at
 * the next start.
 */
export function handleUncaught(
  attribute: (error: unknown) => boolean,
  { err, redact }: { readonly err: (text: string) => void; readonly redact: (text: string) => string },
): void {
  const handle = (error: unknown): void => {
    if (attribute(error)) return;
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    err(`The host failed: ${hanging(redact(what))}\n`);
    process.exit(1);
  };
  process.on("uncaughtException", handle);
  process.on("unhandledRejection", handle);
}
