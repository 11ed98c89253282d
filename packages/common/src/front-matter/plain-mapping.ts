/**
 * Handles a plain key and value on each line, as in most front matter. `undefined` if the source needs a YAML parser.
 */
export function plainMapping(source: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (const line of source.split("\n")) {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (text === "") continue;
    const [, key, value] = /^([A-Za-z][\w-]*): +([^\s].*)$/.exec(text) ?? [];
    if (key === undefined || value === undefined || found.has(key)) return undefined;
    if (isNoText(key) || !isPlainText(value)) return undefined;
    found.set(key, value.replace(/ +$/, ""));
  }
  return found;
}

function isPlainText(value: string): boolean {
  if (!/^[A-Za-z][\u{20}-\u{7e}\u{a1}-\u{ac}\u{ae}-\u{2027}\u{2030}-\u{d7ff}\u{e000}-\u{fefe}]*$/u.test(value))
    return false;
  if (/: |:$| #/.test(value.trimEnd())) return false;
  return !isNoText(value.trimEnd());
}

function isNoText(word: string): boolean {
  return /^(?:true|false|null)$/i.test(word);
}
