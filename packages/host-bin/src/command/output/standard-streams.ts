import { createOutput, type Output } from "./output.ts";

/**
 * The process's own streams, and the only place that writes to them. Each is made at its first use, which takes a tenth of
 * a host's start: a host that has nothing to say has none.
 */
export function standardStreams(): Output {
  const opened = new Map<"stdout" | "stderr", NodeJS.WriteStream>();
  const open = (name: "stdout" | "stderr"): NodeJS.WriteStream => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const stream = process[name];
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0); // Whoever read the output has seen enough.
    });
    opened.set(name, stream);
    return stream;
  };
  return createOutput({
    write: (name, text) => void open(name).write(text),
    writeWhenTaken: async (data) => {
      await new Promise<void>((resolve, reject) => {
        open("stdout").write(data, (error) => (error instanceof Error ? reject(error) : resolve()));
      });
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
