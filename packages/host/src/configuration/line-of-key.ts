interface FoundKey {
  readonly path: readonly string[];
  readonly line: number;
  readonly start: number;
}

export interface RepeatedKey {
  readonly name: string;
  readonly firstName: string;
  readonly firstLine: number;
}

/** Requires valid TOML. For a missing key, the 1-based line of the nearest enclosing table. */
export function lineOfKey(text: string, path: readonly PropertyKey[]): number {
  const wanted = path.map(String);
  let nearest: FoundKey = { path: [], line: 1, start: 0 };
  for (const found of new KeyScanner(text).scan()) {
    const isAround = found.path.every((part, index) => wanted[index] === part);
    if (isAround && found.path.length > nearest.path.length) nearest = found;
  }
  return nearest.line;
}

/** Takes a 1-based position; also returns the earlier key that is redefined. */
export function repeatedKey(
  text: string,
  place: { readonly line: number; readonly column: number },
): RepeatedKey | undefined {
  const before = text.split("\n").slice(0, place.line - 1);
  const at = before.reduce((sum, line) => sum + line.length + 1, place.column - 1);
  const found = new KeyScanner(text, at).scan();
  const key = found.findLast(({ start }) => start <= at);
  if (key === undefined) return undefined;
  const earlier = found.filter(({ start }) => start < key.start);
  // Otherwise a value was defined where this key needs a table.
  for (let length = key.path.length; length > 0; length -= 1) {
    const wanted = JSON.stringify(key.path.slice(0, length));
    const first = earlier.findLast(({ path }) => JSON.stringify(path) === wanted);
    if (first !== undefined)
      return { name: key.path.join("."), firstName: first.path.join("."), firstLine: first.line };
  }
  return undefined;
}

const bareKey = /[A-Za-z0-9_-]+/y;
const blank = /(?:[ \t\r\n]|#[^\n]*)+/y;
const multiLineString = /"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}/y;
const string = /"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;
const bareValue = /[^\s,\]}#]+/y;

/** Ends at `end`: the text after it may be invalid, and nested without a limit. */
class KeyScanner {
  readonly #text: string;
  readonly #end: number;
  readonly #found: FoundKey[] = [];
  #at = 0;
  #line = 1;

  constructor(text: string, end = text.length) {
    this.#text = text;
    this.#end = end;
  }

  scan(): readonly FoundKey[] {
    let table: readonly string[] = [];
    for (this.#take(blank); this.#at < this.#text.length && this.#at <= this.#end; this.#take(blank)) {
      const startedAt = this.#at;
      if (this.#takes("[")) {
        this.#takes("[");
        table = this.#key([]);
        this.#takes("]");
        this.#takes("]");
      } else {
        this.#keyAndValue(table);
      }
      if (this.#at === startedAt) break;
    }
    return this.#found;
  }

  #keyAndValue(table: readonly string[]): void {
    const path = this.#key(table);
    this.#take(blank);
    if (this.#takes("=")) this.#value(path);
  }

  /** Records each part: `a.b = 1` also has an `a`. */
  #key(table: readonly string[]): readonly string[] {
    const path = [...table];
    const start = this.#at;
    do {
      this.#take(blank);
      const line = this.#line;
      const quoted = this.#take(string);
      const part = quoted === "" ? this.#take(bareKey) : unquote(quoted);
      path.push(part);
      this.#found.push({ path: path.slice(), line, start });
      this.#take(blank);
    } while (this.#takes("."));
    return path;
  }

  #value(path: readonly string[]): void {
    this.#take(blank);
    if (this.#at > this.#end) return;
    if (this.#takes("{")) this.#list("}", () => this.#keyAndValue(path));
    else if (this.#takes("[")) this.#list("]", () => this.#value(path));
    else if (this.#take(multiLineString) === "" && this.#take(string) === "") this.#take(bareValue);
  }

  #list(end: string, item: () => void): void {
    for (;;) {
      this.#take(blank);
      const startedAt = this.#at;
      if (this.#takes(end)) return;
      if (!this.#takes(",")) item();
      if (this.#at === startedAt) return;
    }
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += match.length;
    this.#line += match.split("\n").length - 1;
    return match;
  }
}

function unquote(quoted: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1); // TOML escapes that JSON lacks: the result is approximate.
  }
}
