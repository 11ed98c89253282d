import { appendFileSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";

const maxKept = 1_000;
const maxStored = 2 * maxKept;
const maxCharacters = 20_000;

/** JSON Lines, newest last, in a file private to the user. */
export class SentHistory {
  readonly #file: string | undefined;
  #texts: string[];

  constructor(file?: string) {
    this.#file = file;
    this.#texts = file === undefined ? [] : readTexts(file);
    if (file !== undefined && this.#texts.length > maxStored) {
      this.#texts = this.#texts.slice(-maxKept);
      tryTo(() => shorten(file));
    }
  }

  get newestFirst(): readonly string[] {
    return [...new Set(this.#texts.toReversed())].slice(0, maxKept);
  }

  add(text: string): void {
    if (text.trim() === "" || text.length > maxCharacters || this.#texts.at(-1) === text) return;
    this.#texts.push(text);
    const file = this.#file;
    // A full disk must not cost the message.
    if (file !== undefined) tryTo(() => appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 }));
  }
}

function tryTo(write: () => void): void {
  try {
    write();
  } catch {
    // The host has the message; only its history entry is lost.
  }
}

/** Moved aside first: additions of other terminals go to a new file and survive. */
function shorten(file: string): void {
  const aside = `${file}.${process.pid}`;
  renameSync(file, aside);
  const kept = readTexts(aside).slice(-maxKept);
  appendFileSync(file, kept.map((text) => `${JSON.stringify(text)}\n`).join(""), { mode: 0o600 });
  rmSync(aside);
}

function readTexts(file: string): string[] {
  if (!existsSync(file)) return [];
  const texts: string[] = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    try {
      const text: unknown = JSON.parse(line);
      if (typeof text === "string") texts.push(text);
    } catch {
      // Truncated or foreign; other lines are complete.
    }
  }
  return texts;
}
