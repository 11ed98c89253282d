interface Hunk {
  readonly oldText: string;
  readonly newText: string;
}

interface FileDiff {
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

const headPattern = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * `undefined` for other text. Counts lines by the headers, so that content which looks like a header is not misread.
 */
export function parseUnifiedDiff(text: string): FileDiff | undefined {
  const lines = text.split("\n");
  const [from = "", to = ""] = lines;
  if (!from.startsWith("--- ") || !to.startsWith("+++ ")) return undefined;
  const hunks: Hunk[] = [];
  let at = 2;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line === "" && at === lines.length - 1) break;
    const head = headPattern.exec(line);
    if (head === null) return undefined;
    const [, oldCount = "1", newCount = "1"] = head;
    const hunk = new HunkReader({ oldCount: Number(oldCount), newCount: Number(newCount) });
    at += 1;
    while (at < lines.length && hunk.take(lines[at] ?? "")) at += 1;
    if (!hunk.isWhole) return undefined;
    hunks.push(hunk.texts);
  }
  return hunks.length === 0 ? undefined : { path: to.slice("+++ ".length), hunks };
}

class HunkReader {
  #oldLeft: number;
  #newLeft: number;
  readonly #old: string[] = [];
  readonly #new: string[] = [];
  #sides: readonly string[][] = [];

  constructor({ oldCount, newCount }: { readonly oldCount: number; readonly newCount: number }) {
    this.#oldLeft = oldCount;
    this.#newLeft = newCount;
  }

  get isWhole(): boolean {
    return this.#oldLeft === 0 && this.#newLeft === 0;
  }

  get texts(): Hunk {
    return { oldText: this.#old.join(""), newText: this.#new.join("") };
  }

  /** Adds a line; returns `false` if it is not part of this hunk. */
  take(line: string): boolean {
    if (line.startsWith("\\")) {
      // Refers to the previous line, which has no final line feed.
      for (const side of this.#sides) side.push((side.pop() ?? "").replace(/\n$/, ""));
      this.#sides = [];
      return true;
    }
    if (this.isWhole) return false;
    const isOld = line.startsWith("-") || line.startsWith(" ");
    const isNew = line.startsWith("+") || line.startsWith(" ");
    if (!isOld && !isNew) return false;
    this.#sides = [...(isOld ? [this.#old] : []), ...(isNew ? [this.#new] : [])];
    for (const side of this.#sides) side.push(`${line.slice(1)}\n`);
    if (isOld) this.#oldLeft -= 1;
    if (isNew) this.#newLeft -= 1;
    return this.#oldLeft >= 0 && this.#newLeft >= 0;
  }
}
