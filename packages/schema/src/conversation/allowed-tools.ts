import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

const nameRule =
  'must be the name of a tool, such as "read_file", or how names begin, such as "files__*": letters, digits, _ and -, at most 64';
const countRule = "must have at most 200 names";

/** Names, or name prefixes with `*`, of the tools that a conversation may use; empty: no tools. */
export const allowedToolsSchema = lazySchema(() =>
  z.array(z.string().regex(/^(?:[a-zA-Z0-9_-]{1,64}|[a-zA-Z0-9_-]{0,63}\*)$/, nameRule)).max(200, countRule),
);

/** Whether a tool is allowed; `null` allows all. */
export function isToolAllowed(allowed: readonly string[] | null, name: string): boolean {
  return (
    allowed === null ||
    allowed.some((entry) => (entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : name === entry))
  );
}

/** Whether `outer` allows every tool that `inner` allows; `null` allows all. */
export function includesAllTools(outer: readonly string[] | null, inner: readonly string[] | null): boolean {
  if (outer === null) return true;
  // A prefix entry must start with another prefix entry.
  return (
    inner !== null &&
    inner.every((entry) => isToolAllowed(outer.filter(entry.endsWith("*") ? isForMany : () => true), entry))
  );
}

function isForMany(entry: string): boolean {
  return entry.endsWith("*");
}
