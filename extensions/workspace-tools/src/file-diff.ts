const context = 3;

/** Cost grows with the square of it, and nothing else goes on meanwhile. */
const maxEdits = 1_000;
/** For what the edits do not bound, such as very long lines. */
const timeoutMs = 200;
/** Of both texts together, in UTF-16 units: taking more apart into lines is long by itself. */
const maxLength = 4_194_304;

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
    from.length + to.length > maxLength
      ? undefined
      : createTwoFilesPatch(path, path, from, to, undefined, undefined, limits);
  return patch ?? `"${path}" changes in too much to show: ${size(from)} become ${size(to)}`;
}

function size(text: string): string {
  return `${text.split("\n").length} lines, ${Buffer.byteLength(text)} bytes`;
}
