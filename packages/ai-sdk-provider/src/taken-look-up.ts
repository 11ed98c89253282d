import type { ToolDefinition } from "@incipit/schema";
import type { LookedUpTools, ModelRequest } from "@incipit/service-contract";
import type { Vendor, VendorLookup } from "./vendor.ts";

/**
 * What a request brings of the tools that are looked up; `undefined`: the results are sent as texts.
 *
 * - A result names tools for the vendor only where it takes them all and, where it wants them in the request, that has them: one
 *   that is not there would be refused, and with it each later request of the conversation.
 * - No name is there twice, as a list of another host's could have it.
 * - Without another tool beside them nothing can be looked up, and vendors refuse it. Where a call may use some tools alone,
 *   these are not among them.
 */
export function takenLookUp(request: ModelRequest, vendor: Pick<Vendor, "lookup">): LookedUpTools | undefined {
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

/** A list is the same for a whole epoch: each is judged once. */
const judged = new WeakMap<VendorLookup, Judged>();

function judgedBy(lookup: VendorLookup): Judged {
  const known = judged.get(lookup) ?? { lists: new WeakMap(), tools: new WeakMap() };
  judged.set(lookup, known);
  return known;
}

function namedFor(lookup: VendorLookup, named: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const { lists } = judgedBy(lookup);
  const known = lists.get(named) ?? named.filter((tool) => isTaken(lookup, tool));
  lists.set(named, known);
  return known;
}

function isTaken(lookup: VendorLookup, tool: ToolDefinition): boolean {
  const { tools } = judgedBy(lookup);
  const known = tools.get(tool) ?? lookup.takes?.(tool) ?? true;
  tools.set(tool, known);
  return known;
}
