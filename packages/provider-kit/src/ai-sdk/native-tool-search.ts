import type { ToolDefinition } from "@incipit/schema";
import type { DeferredTools, ModelRequest } from "@incipit/service-contract";
import type { Vendor, NativeToolSearch } from "./vendor.ts";

/**
 * `undefined` if results must be sent as text.
 *
 * - A result refers to tools natively only if the vendor accepts them all and the request contains them, if required:
 * otherwise it and all later requests of the conversation would be rejected.
 * - Vendors reject deferred tools without any other tool. A request restricted to certain tools contains none.
 */
export function nativeToolSearch(request: ModelRequest, vendor: Pick<Vendor, "lookup">): DeferredTools | undefined {
  const { lookedUp, tools, settings } = request;
  const { lookup } = vendor;
  const choice = settings?.toolChoice;
  const isNarrowed = typeof choice === "object" && "allowed" in choice;
  if (lookedUp === undefined || lookup === undefined || tools.length === 0 || isNarrowed) return undefined;
  const named = namedFor(lookup, lookedUp.named);
  const own = new Set(tools.map(({ name }) => name));
  if (named.some(({ name }) => own.has(name))) return undefined;
  const names = new Set(named.map(({ name }) => name));
  const isAdded = (tool: ToolDefinition): boolean =>
    lookedUp.named.length === 0 ? !own.has(tool.name) && isTaken(lookup, tool) : names.has(tool.name);
  const found = [...lookedUp.found].filter(([, result]) => result.tools.every(isAdded));
  return { named, found: new Map(found) };
}

interface Judged {
  readonly lists: WeakMap<readonly ToolDefinition[], readonly ToolDefinition[]>;
  readonly tools: WeakMap<ToolDefinition, boolean>;
}

/** Lists are constant within an epoch, so each is checked once. */
const judged = new WeakMap<NativeToolSearch, Judged>();

function judgedBy(lookup: NativeToolSearch): Judged {
  const known = judged.get(lookup) ?? { lists: new WeakMap(), tools: new WeakMap() };
  judged.set(lookup, known);
  return known;
}

function namedFor(lookup: NativeToolSearch, named: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const { lists } = judgedBy(lookup);
  const known = lists.get(named) ?? named.filter((tool) => isTaken(lookup, tool));
  lists.set(named, known);
  return known;
}

function isTaken(lookup: NativeToolSearch, tool: ToolDefinition): boolean {
  const { tools } = judgedBy(lookup);
  const known = tools.get(tool) ?? lookup.takes?.(tool) ?? true;
  tools.set(tool, known);
  return known;
}
