import { hanging } from "../output/error-text.ts";

/**
 * An error that may come from a folder extension is recorded there. Any other leaves unknown state: the process ends,
 * and acknowledged data is recovered at the next start.
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
