import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

const nameRule =
  'must be the name of a tool, such as "read_file", or how names begin, such as "files__*": letters, digits, _ and -, at most 64';
const countRule = "must have at most 200 names";

/** The tools that a conversation may use, by name, or by how their names begin; none: it has no tools. */
export const allowedToolsSchema = lazySchema(() =>
  z.array(z.string().regex(/^(?:[a-zA-Z0-9_-]{1,64}|[a-zA-Z0-9_-]{0,63}\*)$/, nameRule)).max(200, countRule),
);

/** `null`: all tools are. */
export function isToolAllowed(allowed: readonly string[] | null, name: string): boolean {
  return (
    allowed === null ||
    allowed.some((entry) => (entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : name === entry))
  );
}

/** Whether whatever `inner` allows is allowed by `outer`, too; `null`: all tools are. */
export function allowsAll(outer: readonly string[] | null, inner: readonly string[] | null): boolean {
  if (outer === null) return true;
  // Of an entry for many names, what it begins with has to begin as one of the others does.
  return (
    inner !== null &&
    inner.every((entry) => isToolAllowed(outer.filter(entry.endsWith("*") ? isForMany : () => true), entry))
  );
}

function isForMany(entry: string): boolean {
  return entry.endsWith("*");
}
