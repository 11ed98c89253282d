import { maxResultBytes } from "./limits.ts";
import { formatPath } from "./format-path.ts";

const maxShown = 500;
const maxKept = 20_000;
/** Leaves room for notes. */
const maxPathBytes = maxResultBytes - 6_000;

interface KnownFile {
  readonly path: string;
  readonly modifiedAtMs: number;
}

export class NewestFiles {
  #kept: KnownFile[] = [];
  #count = 0;

  add(file: KnownFile): void {
    this.#count += 1;
    this.#kept.push(file);
    if (this.#kept.length >= maxKept) this.#kept = this.#first();
  }

  get shown(): { readonly lines: readonly string[]; readonly note?: string } {
    const lines: string[] = [];
    let roomBytes = maxPathBytes;
    for (const { path } of this.#first()) {
      const line = formatPath(path);
      roomBytes -= Buffer.byteLength(line) + 1;
      if (roomBytes < 0) break;
      lines.push(line);
    }
    const more = this.#count - lines.length;
    return more === 0
      ? { lines }
      : { lines, note: `[cut: ${more} more, changed before these; give a narrower pattern, or a folder as path]` };
  }

  #first(): KnownFile[] {
    const order = (a: KnownFile, b: KnownFile): number => b.modifiedAtMs - a.modifiedAtMs || byPath(a.path, b.path);
    return this.#kept.toSorted(order).slice(0, maxShown);
  }
}

function byPath(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
