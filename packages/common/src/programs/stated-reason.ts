/** Covers Node.js, Python, Java, .NET, Deno, Rust, Go, PHP, Ruby and command lines. */
const errorLine =
  /^(?:\[[^\]]*\]\s*)?(?:Uncaught |Unhandled exception\. |Caused by: |Exception in thread "[^"]*" |PHP )*(?:[\w.$:]*(?:Error|Exception|Panic)(?: \[\w+\])?:|(?:Fatal )?error(?: \(\w+\)| \[\w+\]|\[\w+\])?:|fatal(?: error)?:|panic:|npm (?:error|ERR!) (?!A complete log|code |path |errno |syscall |command |\s)|\*\* \()/i;

/** Printed after the reason, and around stack traces. */
const noise = [
  /^at\s/,
  /^\s*(?:from|File|Traceback)\b/,
  /^(?:Node\.js|Bun) v\d/,
  /^\(Use `node /,
  /^exit status \d+/,
  /^goroutine \d+/,
  /^[\w./*()-]+\(.*\)$/, // A frame of Go.
  /^#\d+ /,
  /^\d+: /,
  /^(?:Stack trace|stack backtrace):/i,
  /^thrown in /,
  /^\.\.\. \d+ more/,
  /^note: /i,
  /^npm (?:error|ERR!)/,
  /^Run '.*' for more information/,
  /^[\s^~|{}[\]()*-]*$/,
  /^(?:code|errno|syscall|path|spawnargs|requireStack|url|cause): /,
  /^(?:\/|file:\/\/|node:).*:\d+$/,
];

/**
 * The last line that names an error, else the last that is neither a stack frame nor a runtime notice; `""` for none.
 * @param lines In order.
 */
export function statedReason(lines: readonly string[]): string {
  const trimmed = lines.map((line) => line.trim()).filter((line) => line !== "");
  const named = trimmed.findLast((line) => errorLine.test(line));
  return named ?? trimmed.findLast((line) => !noise.some((one) => one.test(line))) ?? trimmed.at(-1) ?? "";
}
