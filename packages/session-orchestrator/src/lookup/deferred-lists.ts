import type { MessagePart, ToolDefinition } from "@incipit/schema";
import { type DeferredTool, ToolIndex } from "./tool-index.ts";
import { foundInResult, type FoundInResult } from "./search-answer.ts";

/** Conversations share them, and each may have many megabytes. */
const maxHeld = 2;
const maxHeldForRequests = 8;
const maxKnown = 2_000;

type ToolResult = Extract<MessagePart, { readonly type: "tool-result" }>;
type ReadList = (sha256: string) => Promise<readonly DeferredTool[] | undefined>;

export class DeferredLists {
  readonly #readList: ReadList;
  readonly #held = new Map<string, Promise<ToolIndex | undefined>>();
  readonly #forRequests = new Map<string, readonly ToolDefinition[]>();
  readonly #known = new Map<string, Map<string, ToolDefinition | undefined>>();
  readonly #byName = new WeakMap<readonly ToolDefinition[], ReadonlyMap<string, ToolDefinition>>();
  /** By identity: a loaded conversation keeps its result objects. */
  readonly #results = new WeakMap<ToolResult, { readonly found: FoundInResult | undefined }>();

  constructor(readList: ReadList) {
    this.#readList = readList;
  }

  async read(sha256: string): Promise<ToolIndex | undefined> {
    const reading = this.#held.get(sha256) ?? this.#readIndex(sha256);
    hold(this.#held, { sha256, value: reading, max: maxHeld });
    try {
      const index = await reading;
      if (index === undefined) this.#held.delete(sha256);
      return index;
    } catch (error) {
      this.#held.delete(sha256);
      throw error;
    }
  }

  /** For vendors that need them in requests, see `requestTools`. The same array while cached. */
  async forRequests(sha256: string): Promise<readonly ToolDefinition[]> {
    let tools = this.#forRequests.get(sha256);
    if (tools === undefined) {
      const all = await this.#tools(sha256);
      if (all === undefined) return []; // Not cached: another conversation may store the list again.
      tools = requestTools(all);
    }
    hold(this.#forRequests, { sha256, value: tools, max: maxHeldForRequests });
    return tools;
  }

  async named(sha256: string, names: ReadonlySet<string>): Promise<ReadonlyMap<string, ToolDefinition>> {
    let known = this.#known.get(sha256) ?? new Map<string, ToolDefinition | undefined>();
    if (known.size > maxKnown) known = new Map();
    if ([...names].some((name) => !known.has(name))) {
      const tools = await this.#tools(sha256);
      if (tools === undefined) return new Map();
      const all = new Map(tools.map(({ definition }) => [definition.name, definition]));
      for (const name of names) known.set(name, all.get(name));
    }
    hold(this.#known, { sha256, value: known, max: maxHeldForRequests });
    return new Map(
      [...names].flatMap((name) => {
        const tool = known.get(name);
        return tool === undefined ? [] : [[name, tool] as const];
      }),
    );
  }

  byName(tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> {
    const known = this.#byName.get(tools) ?? new Map(tools.map((tool) => [tool.name, tool]));
    this.#byName.set(tools, known);
    return known;
  }

  foundIn(part: ToolResult): FoundInResult | undefined {
    const known = this.#results.get(part) ?? { found: part.isError ? undefined : foundInResult(part.output) };
    this.#results.set(part, known);
    return known.found;
  }

  /** Without building an index, which only searches need. */
  async #tools(sha256: string): Promise<readonly DeferredTool[] | undefined> {
    const held = await this.#held.get(sha256)?.catch(() => undefined);
    return held?.tools ?? this.#readList(sha256);
  }

  async #readIndex(sha256: string): Promise<ToolIndex | undefined> {
    const tools = await this.#readList(sha256);
    return tools === undefined ? undefined : ToolIndex.of(tools);
  }
}

function hold<Value>(
  held: Map<string, Value>,
  { sha256, value, max }: { readonly sha256: string; readonly value: Value; readonly max: number },
): void {
  held.delete(sha256);
  held.set(sha256, value);
  const [oldest] = held.keys();
  if (held.size > max && oldest !== undefined) held.delete(oldest);
}

/**
 * Limits of deferred tools in one request: Anthropic accepts 10,000
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#limits). The byte limit is ours,
 * because each step uploads them.
 */
const maxInRequest = 10_000;
const maxInRequestBytes = 1_048_576;

/** Selects whole servers, smallest first. Deterministic, so that requests stay identical within an epoch. */
export function requestTools(deferred: readonly DeferredTool[]): readonly ToolDefinition[] {
  const groups = [...Map.groupBy(deferred, ({ server }) => server)].map(([server, tools]) => ({
    server,
    tools,
    sizeBytes: tools.reduce((sum, { definition }) => sum + Buffer.byteLength(JSON.stringify(definition)), 0),
  }));
  const taken: ToolDefinition[] = [];
  let sizeBytes = 0;
  for (const group of groups.toSorted((a, b) => a.sizeBytes - b.sizeBytes || (a.server < b.server ? -1 : 1))) {
    if (taken.length + group.tools.length > maxInRequest || sizeBytes + group.sizeBytes > maxInRequestBytes)
      continue;
    sizeBytes += group.sizeBytes;
    taken.push(...group.tools.map(({ definition }) => definition));
  }
  return taken.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
