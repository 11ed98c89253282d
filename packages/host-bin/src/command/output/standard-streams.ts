import { createOutput, type Output } from "./output.ts";

/**
 * The process's own streams, and the only place that writes to them. Each is made at its first use, which takes a tenth of
 * a host's start: a host that has nothing to say has none.
 */
export function standardStreams(): Output {
  const opened = new Map<"stdout" | "stderr", NodeJS.WriteStream>();
  let endsUnread = true;
  const open = (name: "stdout" | "stderr"): NodeJS.WriteStream => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const stream = process[name];
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE" && endsUnread) process.exit(0); // Whoever read the output has seen enough.
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
    // The turn goes on, and is kept; whoever reads the exit code learns that the file is cut off.
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
      const { console } = globalThis; // It writes to the file itself.
      for (const name of ["log", "info", "debug", "dir", "table"] as const)
        console[name] = console.error.bind(console);
    },
    // Without the streams of node, which a host that has nothing else to say does not need.
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
