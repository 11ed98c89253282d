import type { Output } from "./output.ts";

/**
 * The process's own streams. Each is made at its first use, which takes a tenth of a host's start: a host that has
 * nothing to say has none.
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
  return {
    out: (text) => void open("stdout").write(text),
    outWhenTaken: async (data) => {
      await new Promise<void>((resolve, reject) => {
        open("stdout").write(data, (error) => (error instanceof Error ? reject(error) : resolve()));
      });
    },
    err: (text) => void open("stderr").write(text),
    get isScreen() {
      return open("stdout").isTTY;
    },
  };
}
