/** One piece of JSON, behind its white space. */
const token =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y; // oxlint-disable-line no-control-regex -- JSON takes none of them

type Expected = "value" | "value or ]" | "key" | "key or }" | "colon" | "more";

/** Where a text stops being JSON, as `line 3, column 5`: the runtime's own parser does not say. `undefined`: it is JSON. */
export function jsonPlace(text: string): string | undefined {
  const at = wrongAt(text);
  if (at === undefined) return undefined;
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

function wrongAt(text: string): number | undefined {
  const open: string[] = [];
  let expected: Expected = "value";
  let end = 0;
  for (;;) {
    token.lastIndex = end;
    const found = token.exec(text);
    const start = end + (/^[ \t\n\r]*/.exec(text.slice(end))?.[0].length ?? 0);
    if (found === null)
      return expected === "more" && open.length === 0 && start === text.length ? undefined : start;
    const [, mark, string] = found;
    const next = after(expected, { mark, isString: string !== undefined, open });
    if (next === undefined) return start;
    expected = next;
    end = token.lastIndex;
  }
}

/** What may follow a piece; `undefined`: it may not stand there. */
function after(
  expected: Expected,
  {
    mark,
    isString,
    open,
  }: { readonly mark: string | undefined; readonly isString: boolean; readonly open: string[] },
): Expected | undefined {
  const isValueDue = expected === "value" || expected === "value or ]";
  const isKeyDue = expected === "key" || expected === "key or }";
  if (mark === undefined) {
    if (isKeyDue) return isString ? "colon" : undefined;
    return isValueDue ? "more" : undefined;
  }
  if (mark === "{" || mark === "[") {
    if (!isValueDue) return undefined;
    open.push(mark);
    return mark === "{" ? "key or }" : "value or ]";
  }
  if (mark === ":") return expected === "colon" ? "value" : undefined;
  const inside = open.at(-1);
  if (mark === ",") {
    if (expected !== "more" || inside === undefined) return undefined;
    return inside === "{" ? "key" : "value";
  }
  const isEmptyEnd = expected === (mark === "}" ? "key or }" : "value or ]");
  if (inside !== (mark === "}" ? "{" : "[") || !(expected === "more" || isEmptyEnd)) return undefined;
  open.pop();
  return "more";
}
