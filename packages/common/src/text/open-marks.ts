/** Markdown marks such as `**` that are open at a cut: `closing` ends the first part, `opening` begins the next. */
export interface OpenMarks {
  readonly opening: string;
  readonly closing: string;
}

/**
 * Returns the marks (`**`, `_`, `~~`, code) that `text` opens and `rest`, the continuation of the paragraph, closes.
 */
export function openMarks(text: string, rest: string): OpenMarks {
  const open: string[] = [];
  for (let at = 0; at < text.length;) {
    const [run] = /^(?:\\[^]|`+|\*+|_+|~+)/.exec(text.slice(at, at + 64)) ?? [];
    const end = at + (run?.length ?? 1);
    if (run?.startsWith("`") === true) {
      const close = closingOfCode(text, run, end);
      if (close === -1 && closingOfCode(rest, run, 0) !== -1) {
        open.push(run);
        break;
      }
      at = close === -1 ? end : close + run.length;
      continue;
    }
    if (run !== undefined && isMark(run))
      takeRun(open, run, { before: text[at - 1] ?? " ", after: text[end] ?? " " });
    at = end;
  }
  const closed = open.filter((mark) => isClosedIn(rest, mark));
  return { opening: closed.join(""), closing: closed.toReversed().join("") };
}

function takeRun(
  open: string[],
  run: string,
  { before, after }: { readonly before: string; readonly after: string },
): void {
  if (run.startsWith("_") && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)) return;
  let left = run;
  if (/\S/.test(before))
    for (let last = open.at(-1); last !== undefined && left.startsWith(last); last = open.at(-1)) {
      left = left.slice(last.length);
      open.pop();
    }
  if (left !== "" && /\S/.test(after)) open.push(left);
}

function isMark(run: string): boolean {
  return run.startsWith("~") ? run === "~~" : /^[*_]{1,3}$/.test(run);
}

function closingOfCode(text: string, run: string, from: number): number {
  for (const { 0: found, index } of text.slice(from).matchAll(/`+/g)) if (found === run) return from + index;
  return -1;
}

function isClosedIn(rest: string, mark: string): boolean {
  if (mark.startsWith("`")) return true;
  for (let at = rest.indexOf(mark); at !== -1; at = rest.indexOf(mark, at + mark.length))
    if (at > 0 && /[^\s\\]/.test(rest[at - 1] ?? " ")) return true;
  return false;
}
