import { fstatSync } from "node:fs";
import type { Output } from "../output/output.ts";

/** Same limit as for attached files. */
const maxBytes = 5 * 1_048_576;
/** Delay before a hint that stdin is being read, and the longest wait. */
const hintMs = 3_000;
const longestMs = 600_000;

type Source = "none" | "text" | "perhaps";

export interface PipedTextOptions {
  readonly output: Pick<Output, "errLine">;
  /** `"-"`: stdin is the question. `"alone"`: no question was given. Absent: stdin is added to the question. */
  readonly asked?: "-" | "alone" | undefined;
}

export function isInputPiped(): boolean {
  return sourceOf() !== "none";
}

/**
 * Empty without a pipe.
 * @throws {Error} when it is not text, too long, or does not end; the message has a fix.
 */
export async function pipedText({ output, asked }: PipedTextOptions): Promise<string> {
  const source = asked === "-" && !process.stdin.isTTY ? "text" : sourceOf();
  if (source === "none") return "";
  const pieces: Buffer[] = [];
  let size = 0;
  await using stack = new AsyncDisposableStack();
  const ended = Promise.withResolvers<"end" | "silent" | "late">();
  const take = (piece: Buffer): void => {
    clearTimeout(hint);
    pieces.push(piece);
    size += piece.byteLength;
    if (size > maxBytes) ended.resolve("end");
  };
  const hint = setTimeout(() => {
    if (source === "perhaps") return ended.resolve("silent");
    output.errLine(
      asked === undefined
        ? "Waiting for the end of standard input; without a text for it: incipit … < /dev/null"
        : "Waiting for the end of standard input, which is the question; Ctrl-C ends this",
    );
  }, hintMs);
  const longest = setTimeout(() => ended.resolve("late"), longestMs);
  process.stdin.on("data", take);
  process.stdin.once("end", () => ended.resolve("end"));
  process.stdin.once("error", ended.reject);
  stack.defer(() => {
    clearTimeout(hint);
    clearTimeout(longest);
    process.stdin.off("data", take);
    process.stdin.destroy();
  });
  const how = await ended.promise;
  if (how === "late")
    throw new Error(`Standard input did not end within ${longestMs / 60_000} minutes: nothing was sent`);
  if (how === "silent") {
    if (asked === undefined)
      output.errLine(`Nothing came on standard input within ${hintMs / 1_000} s: the question goes without it`);
    return "";
  }
  if (size > maxBytes)
    throw new Error(
      `Standard input has more than ${maxBytes} bytes: pipe less into it, or attach a file with --file`,
    );
  return decoded(Buffer.concat(pieces));
}

/** Parent programs often leave an idle socket open; pipes of a shell and files end. */
function sourceOf(): Source {
  try {
    const stat = fstatSync(0);
    if (stat.isFIFO() || stat.isFile()) return "text";
    return stat.isSocket() ? "perhaps" : "none";
  } catch {
    return "none";
  }
}

async function decoded(bytes: Uint8Array): Promise<string> {
  const { decodeText } = await import("@incipit/schema"); // Commands start faster without the schemas.
  const text = decodeText(bytes)?.text;
  if (text !== undefined) return text;
  try {
    // Lists of file names may be separated by NUL characters.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error(
      "Standard input is not UTF-8 text, and its encoding is not recognized: attach it as a file with --file",
      { cause },
    );
  }
}
