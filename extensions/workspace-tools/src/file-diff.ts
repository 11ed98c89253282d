const context = 3;

/** Cost grows with the square of it, and nothing else goes on meanwhile. */
const maxEdits = 1_000;
/** For what the edits do not bound, such as very long lines. */
const timeoutMs = 200;
/** Longest both texts may be together, in UTF-16 units: taking longer ones apart into lines already takes long. */
const maxLength = 4_194_304;

/** Most lines of both texts together: a text may be line ends alone, and each costs before edits are counted. */
const maxLines = 100_000;

interface Texts {
  readonly from: string;
  readonly to: string;
}

/** What becomes of a file, as a unified diff; where that would take too long, in words. */
export async function fileDiff(path: string, { from, to }: Texts): Promise<string> {
  if (from === to) return `"${path}" stays as it is`;
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff"); // Most hosts never need it.
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
