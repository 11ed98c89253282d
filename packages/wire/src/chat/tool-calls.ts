import type { ToolCallDelta } from "./chunk-reader.ts";
import { opensValue, ToolCallArguments } from "./tool-call-arguments.ts";

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: ToolCallArguments;
  readonly signature: string | undefined;
  readonly index: number | undefined;
}

interface Evidence {
  readonly id: string | undefined;
  readonly index: number | null | undefined;
  readonly name: string | undefined;
  /** Has a name, and arguments that begin an object or array. */
  readonly isStart: boolean;
  readonly hasNoArguments: boolean;
}

type Belonging = ToolCall | "new" | undefined;

/**
 * Assembles the tool calls of one reply from deltas. Vendors omit indices, share one between calls, repeat ids and
 * names, or change them; all fields together identify the call, as in the AI SDK's packages:
 *
 * | id | index and name | arguments | result |
 * | --- | --- | --- | --- |
 * | known | match | any | the matching call, or a new one if that is complete |
 * | known | mismatch | with a name | a new call |
 * | unknown | match | begin an object | a new call |
 * | unknown | match | empty, with a name | the matching call unless complete |
 * | unknown | match | continue | the matching call |
 * | none | match | any | the matching call, or a new one if that is complete |
 * | none | none | with a name | a new call |
 * | none | none | without | the only call |
 *
 * Ambiguous deltas are ignored.
 */
export class ToolCalls {
  readonly #newId: () => string;
  readonly #calls: ToolCall[] = [];
  readonly #byId = new Map<string, Set<ToolCall>>();
  readonly #byIndex = new Map<number, Set<ToolCall>>();
  readonly #ids = new Set<string>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** @throws {TypeError} for a new call without a name. */
  take(delta: ToolCallDelta): { readonly call: ToolCall; readonly isNew: boolean } | undefined {
    const { index, function: said } = delta;
    const name = notBlank(said.name);
    const id = notBlank(delta.id);
    const isStart = name !== undefined && opensValue(said.arguments);
    const found = this.#find({ id, index, name, isStart, hasNoArguments: notBlank(said.arguments) === undefined });
    if (found === undefined) return undefined;
    const isNew = found === "new";
    // A blank name cannot begin a call; some vendors repeat one in later deltas.
    if (isNew && name === undefined && typeof said.name === "string") return undefined;
    const call = isNew ? this.#begin(delta, name) : found;
    if (id !== undefined) add(this.#byId, id, call);
    if (index !== undefined && index !== null) add(this.#byIndex, index, call);
    call.arguments.add(said.arguments ?? "");
    return { call, isNew };
  }

  /** Returns all calls, sorted by index if all have one, else by their start. */
  all(): readonly ToolCall[] {
    const indices = this.#calls.map(({ index }) => index);
    if (indices.includes(undefined)) return this.#calls;
    return this.#calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  }

  #begin({ index, id, extra_content: extra }: ToolCallDelta, name: string | undefined): ToolCall {
    if (name === undefined) throw new TypeError("Expected 'function.name' to be a string.");
    const call = {
      id: this.#idFor(notBlank(id)),
      name,
      arguments: new ToolCallArguments(),
      signature: extra?.google?.thought_signature ?? undefined,
      index: index ?? undefined,
    };
    this.#calls.push(call);
    return call;
  }

  #idFor(said: string | undefined): string {
    let id = said !== undefined && !this.#ids.has(said) ? said : this.#newId();
    for (let count = 1; this.#ids.has(id); count += 1) id = `${this.#newId()}-${count}`;
    this.#ids.add(id);
    return id;
  }

  #find(evidence: Evidence): Belonging {
    const { id, index, name, isStart, hasNoArguments } = evidence;
    const atIndex = index === undefined || index === null ? undefined : this.#byIndex.get(index);
    const fitting = [...(atIndex ?? [])].filter((call) => name === undefined || call.name === name);
    if (id === undefined) {
      if (atIndex !== undefined) return theOne(fitting, isStart);
      return name === undefined ? theOne(this.#calls, false) : "new";
    }
    const ofId = this.#byId.get(id);
    if (ofId !== undefined) return this.#findKnown(evidence, { atIndex, fitting, ofId: [...ofId] });
    if (fitting.length === 0 || isStart) return "new";
    return theOne(fitting, name !== undefined && hasNoArguments);
  }

  #findKnown(
    { index, name, isStart }: Evidence,
    {
      atIndex,
      fitting,
      ofId,
    }: {
      readonly atIndex: ReadonlySet<ToolCall> | undefined;
      readonly fitting: readonly ToolCall[];
      readonly ofId: readonly ToolCall[];
    },
  ): Belonging {
    if (index === undefined || index === null) {
      if (name === undefined) return theOne(ofId, false);
      return theOne(
        ofId.filter((call) => call.name === name),
        isStart,
      );
    }
    const both = theOne(
      fitting.filter((call) => ofId.includes(call)),
      isStart,
    );
    if (both !== "new") return both;
    // Vendors share one id between parallel calls: another index with a name is another call.
    if (name !== undefined) return "new";
    return atIndex === undefined ? theOne(ofId, false) : undefined;
  }
}

/** If all are complete, arguments that begin again start a new call. */
function theOne(calls: readonly ToolCall[], beginsAnew: boolean): Belonging {
  if (calls.length === 0) return "new";
  if (!beginsAnew && calls.length === 1) return calls[0];
  const open = calls.filter((call) => !call.arguments.isWhole);
  if (open.length === 1) return open[0];
  return open.length > 1 || !beginsAnew ? undefined : "new";
}

function notBlank(text: string | null | undefined): string | undefined {
  return text === undefined || text === null || text.trim() === "" ? undefined : text;
}

function add<Key>(map: Map<Key, Set<ToolCall>>, key: Key, call: ToolCall): void {
  const calls = map.get(key);
  if (calls === undefined) map.set(key, new Set([call]));
  else calls.add(call);
}

/**
 * Buffers deltas until the call's name arrives: some compatible endpoints omit it in the first delta. Deltas without
 * an index pass through.
 */
export class NamedCalls {
  readonly #waiting = new Map<
    number,
    { -readonly [Key in "id" | "extra_content"]: ToolCallDelta[Key] } & { arguments: string }
  >();
  readonly #named = new Set<number>();

  take(delta: ToolCallDelta): ToolCallDelta | undefined {
    const { index, id, function: said, extra_content: extra } = delta;
    if (index === undefined || index === null || this.#named.has(index)) return delta;
    const waiting = this.#waiting.get(index) ?? { id: undefined, extra_content: undefined, arguments: "" };
    waiting.id ??= id;
    waiting.extra_content ??= extra;
    waiting.arguments += said.arguments ?? "";
    this.#waiting.set(index, waiting);
    if (said.name === undefined || said.name === null) return undefined;
    this.#waiting.delete(index);
    this.#named.add(index);
    const { arguments: text, ...known } = waiting;
    return { index, ...known, function: { name: said.name, arguments: text } };
  }

  nameless(): readonly ToolCallDelta[] {
    return [...this.#waiting].map(([index, { id, arguments: text }]) => ({
      index,
      id,
      function: { arguments: text },
    }));
  }
}
