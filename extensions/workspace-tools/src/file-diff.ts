const context = 3;

/** Maximum number of edits of a diff, whose cost is quadratic in them, and blocks the host. */
const maxEdits = 1_000;
/** Timeout for costs that the limit of edits does not bound, such as very long lines. */
const timeoutMs = 200;
/** Total of both texts, in UTF-16 units: splitting longer ones into lines is already slow. */
const maxLength = 4_194_304;

/** Total of both texts: each line costs before edits are counted, even when empty. */
const maxLines = 100_000;

interface Texts {
  readonly from: string;
  readonly to: string;
}

/** Falls back to a description when diffing would take too long. */
export async function fileDiff(path: string, { from, to }: Texts): Promise<string> {
  if (from === to) return `"${path}" stays as it is`;
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff"); // Rarely needed.
  const limits = { context, maxEditLength: maxEdits, timeout: timeoutMs, headerOptions: FILE_HEADERS_ONLY };
  const patch =
    from.length + to.length > maxLength || linesOf(from) + linesOf(to) > maxLines
      ? undefined
      : createTwoFilesPatch(path, path, from, to, undefined, undefined, limits);
  return patch ?? `"${path}" changes in too much to show: ${size(from)} become ${size(to)}`;
}

function size(text: string): string {
  return `${linesOf(text)} lines, ${Buffer.byteLength(text)} bytes`;
}

function linesOf(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
