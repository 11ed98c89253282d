/**
 * `LINE:COLUMN` in valid JSON; for a missing path, that of the nearest parent. Of duplicate keys the last counts, as
 * for `JSON.parse`.
 */
export function jsonPlace(text: string, path: readonly PropertyKey[]): string {
  const index = new JsonWalk(text).find(path);
  const before = text.slice(0, index).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

const space = /[ \t\r\n]*/y;
const string = /"(?:\\.|[^"\\])*"/y;
const scalar = /[^\s,\]}]+/y;

class JsonWalk {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  find(path: readonly PropertyKey[]): number {
    this.#take(space);
    let found = this.#at;
    let depth = 0;
    const enter = (): void => {
      this.#members((key, at) => {
        if (key !== String(path[depth])) return this.#pass();
        found = at;
        if (depth + 1 === path.length) return this.#pass();
        depth += 1;
        enter();
        depth -= 1;
      });
    };
    if (path.length > 0) enter();
    return found;
  }

  #members(member: (key: string, at: number) => void): void {
    this.#take(space);
    const open = this.#text[this.#at];
    if (open !== "{" && open !== "[") return this.#pass();
    this.#at += 1;
    for (let index = 0; ; index += 1) {
      this.#take(space);
      if (this.#text[this.#at] === ",") this.#at += 1;
      this.#take(space);
      const at = this.#at;
      const next = this.#text[at];
      if (next === undefined) return;
      if (next === "}" || next === "]") {
        this.#at += 1;
        return;
      }
      const key = open === "[" ? String(index) : String(JSON.parse(this.#take(string)));
      if (open === "{") {
        this.#take(space);
        this.#at += 1;
        this.#take(space);
      }
      member(key, at);
    }
  }

  #pass(): void {
    this.#take(space);
    const first = this.#text[this.#at];
    if (first === '"') this.#take(string);
    else if (first === "{" || first === "[") this.#members(() => this.#pass());
    else this.#take(scalar);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [taken = ""] = pattern.exec(this.#text) ?? [];
    this.#at += taken.length;
    return taken;
  }
}
