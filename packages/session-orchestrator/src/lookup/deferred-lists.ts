import type { ToolDefinition } from "@incipit/schema";
import type { DeferredTool } from "./deferred-tool.ts";
import { requestTools } from "./request-tools.ts";
import { ToolIndex } from "./tool-index.ts";

/** Lists that are held in memory: conversations share them, and each may have many megabytes. */
const maxHeld = 2;
/** Likewise of what requests carry of them, which is much less. */
const maxHeldForRequests = 8;
/** Tools of one list that were asked for by their names. */
const maxKnown = 2_000;

/** `undefined`: it is not there, or is not what its hash says. */
type ReadList = (sha256: string) => Promise<readonly DeferredTool[] | undefined>;

/** What is looked up, ready to be searched, for all conversations. */
export class DeferredLists {
  readonly #readList: ReadList;
  /** By hash; the newest is the last. */
  readonly #held = new Map<string, Promise<ToolIndex | undefined>>();
  readonly #forRequests = new Map<string, readonly ToolDefinition[]>();
  /** Those that were asked for, by their names. */
  readonly #known = new Map<string, Map<string, ToolDefinition | undefined>>();

  constructor(readList: ReadList) {
    this.#readList = readList;
  }

  /** `undefined`: it is not there, or is not what its hash says. */
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

  /** What each request carries where its vendor wants that, see `requestTools`: one array as long as it is held; empty: nothing. */
  async forRequests(sha256: string): Promise<readonly ToolDefinition[]> {
    let tools = this.#forRequests.get(sha256);
    if (tools === undefined) {
      const all = await this.#tools(sha256);
      if (all === undefined) return []; // Another conversation may store it again.
      tools = requestTools(all);
    }
    hold(this.#forRequests, { sha256, value: tools, max: maxHeldForRequests });
    return tools;
  }

  /** Those of a list that have these names. */
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

  /** Without making an index of them: a request only names them. */
  async #tools(sha256: string): Promise<readonly DeferredTool[] | undefined> {
    const held = await this.#held.get(sha256)?.catch(() => undefined);
    return held?.tools ?? this.#readList(sha256);
  }

  async #readIndex(sha256: string): Promise<ToolIndex | undefined> {
    const tools = await this.#readList(sha256);
    return tools === undefined ? undefined : ToolIndex.of(tools);
  }
}

/** As the newest; the oldest goes where there are more. */
function hold<Value>(
  held: Map<string, Value>,
  { sha256, value, max }: { readonly sha256: string; readonly value: Value; readonly max: number },
): void {
  held.delete(sha256);
  held.set(sha256, value);
  const [oldest] = held.keys();
  if (held.size > max && oldest !== undefined) held.delete(oldest);
}
