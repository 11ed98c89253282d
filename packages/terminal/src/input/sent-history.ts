import { appendFileSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";

const maxKept = 1_000;
/** The file is written anew when it has so many more. */
const maxStored = 2 * maxKept;
const maxCharacters = 20_000;

/** What was sent from terminals before, over their ends: a JSON text a line, the newest last. Only its user can read the file. */
export class SentHistory {
  readonly #file: string | undefined;
  #texts: string[];

  /** @param file Absent: it is not kept. */
  constructor(file?: string) {
    this.#file = file;
    this.#texts = file === undefined ? [] : readTexts(file);
    if (file !== undefined && this.#texts.length > maxStored) {
      this.#texts = this.#texts.slice(-maxKept);
      tryTo(() => shorten(file));
    }
  }

  /** The newest first, each once. */
  get newestFirst(): readonly string[] {
    return [...new Set(this.#texts.toReversed())].slice(0, maxKept);
  }

  add(text: string): void {
    if (text.trim() === "" || text.length > maxCharacters || this.#texts.at(-1) === text) return;
    this.#texts.push(text);
    const file = this.#file;
    // Nobody loses a message because a disk is full.
    if (file !== undefined) tryTo(() => appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 }));
  }
}

function tryTo(write: () => void): void {
  try {
    write();
  } catch {
    // What was sent is with the host; only the way back to it with a key is lost.
  }
}

/** Takes the file out of the way of other terminals first: what they add meanwhile goes into a new one, and stays. */
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
      // Cut off, or somebody else's: the others are whole.
    }
  }
  return texts;
}
