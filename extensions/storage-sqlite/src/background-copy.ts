/** Inline, so that it exists in every build. Posts the error message, or "". */
const script = `
  import { Database } from "bun:sqlite";
  onmessage = ({ data: { path, target } }) => {
    try {
      const database = new Database(path, { readonly: true });
      try {
        database.run("PRAGMA busy_timeout = 5000");
        database.run("VACUUM INTO ?", [target]);
      } finally {
        database.close();
      }
      postMessage({ code: "", message: "" });
    } catch (error) {
      postMessage({ code: String(error.code), message: String(error.message) });
    }
  };
`;

/**
 * Runs on the state committed when it began, and blocks neither readers nor writers.
 * @throws what SQLite throws there, or the signal's reason.
 */
export async function copyInBackground(path: string, target: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const url = URL.createObjectURL(new Blob([script], { type: "application/javascript" }));
  const worker = new Worker(url);
  const done = Promise.withResolvers<void>();
  const stop = (): void => done.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  worker.addEventListener(
    "message",
    ({ data }: MessageEvent<{ readonly code: string; readonly message: string }>) => {
      const { code, message } = data;
      if (code === "") done.resolve();
      else done.reject(Object.assign(new Error(message), { code }));
    },
  );
  worker.addEventListener("error", ({ message }) => done.reject(new Error(message)));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin, unlike a window
  worker.postMessage({ path, target });
  try {
    await done.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    worker.terminate();
    URL.revokeObjectURL(url);
  }
}
