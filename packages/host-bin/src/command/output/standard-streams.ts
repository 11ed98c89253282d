import { createOutput, type Output } from "./output.ts";

/**
 * The only place that writes to the process's streams. Opens each on first use: opening takes a tenth of a host's
 * start.
 */
export function standardStreams(): Output {
  const opened = new Map<"stdout" | "stderr", NodeJS.WriteStream>();
  let endsUnread = true;
  const open = (name: "stdout" | "stderr"): NodeJS.WriteStream => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const stream = process[name];
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE" && endsUnread) process.exit(0);
      if (name === "stdout" && isFull(error)) failForFullDisk();
    });
    opened.set(name, stream);
    return stream;
  };
  let isFailed = false;
  const failForFullDisk = (): void => {
    if (isFailed) return;
    isFailed = true;
    open("stderr").write("Cannot write the whole output: the disk is full; make room, and print it again\n");
    // The turn continues and is stored; the exit code shows that the output is truncated.
    process.once("exit", (code) => {
      if (code === 0) process.exitCode = 1;
    });
  };
  let writeOut = (data: string | Uint8Array, taken?: (error?: Error | null) => void): boolean =>
    open("stdout").write(data, taken);
  return createOutput({
    write: (name, text) => void (name === "stdout" ? writeOut(text) : open(name).write(text)),
    writeWhenTaken: async (data) => {
      await new Promise<void>((resolve, reject) => {
        writeOut(data, (error) => (error instanceof Error ? reject(error) : resolve()));
      });
    },
    keepForProtocol() {
      endsUnread = false;
      const [stdout, stderr] = [open("stdout"), open("stderr")];
      writeOut = stdout.write.bind(stdout);
      stdout.write = stderr.write.bind(stderr);
      const { console } = globalThis; // console writes to the file descriptor directly.
      for (const name of ["log", "info", "debug", "dir", "table"] as const)
        console[name] = console.error.bind(console);
    },
    // Avoids node streams, which a quiet host does not need.
    announce: async (text) => {
      await Bun.write(Bun.stdout, text).catch(() => undefined);
    },
    isScreen: () => open("stdout").isTTY,
    columns: (name) => open(name).columns,
    env: process.env,
  });
}

function isFull({ code }: NodeJS.ErrnoException): boolean {
  return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
}
