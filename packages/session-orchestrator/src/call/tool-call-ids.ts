import type { ModelMessage, ToolDefinition } from "@incipit/schema";
import { toolNamePattern } from "../store/tool-list.ts";

/** Beyond what any vendor gives; an id is part of keys and addresses. */
const maxIdLength = 200;
/** Leaves room for what sets a name apart. */
const maxNameLength = 48;

/**
 * The ids and names of the calls of one reply as they are stored, shown and sent back. Models repeat ids, or leave them
 * empty, and make up names; vendors refuse a history in which two calls have one id, or a name has other characters.
 *
 * What can stay as it came does. The calls of one id are told apart by the order in which they begin and come.
 */
export class ToolCallIds {
  readonly #history: readonly ModelMessage[];
  readonly #tools: readonly ToolDefinition[];
  /** Ids that were given to calls that have begun, by the id that the model gave; the whole call is still to come. */
  readonly #begun = new Map<string, string[]>();
  #taken: Set<string> | undefined;
  readonly #lastCount = new Map<string, number>();

  constructor(history: readonly ModelMessage[], tools: readonly ToolDefinition[]) {
    this.#history = history;
    this.#tools = tools;
  }

  /** For a call of which only the beginning is there. */
  begin(given: string): string {
    const id = this.#unused(given);
    this.#begun.set(given, [...(this.#begun.get(given) ?? []), id]);
    return id;
  }

  /** The id of a call that has begun, and has not come whole yet. */
  begun(given: string): string | undefined {
    return this.#begun.get(given)?.[0];
  }

  /** Forgets the calls that have begun and did not come whole: the reply begins again. Their ids stay taken. */
  restart(): void {
    this.#begun.clear();
  }

  /** For a whole call, with its beginning or without. */
  take(given: string): string {
    return this.#begun.get(given)?.shift() ?? this.#unused(given);
  }

  /** A name that is none of a tool when the model's own cannot be one. */
  nameOf(given: string): string {
    if (toolNamePattern.test(given)) return given;
    let name = given.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, maxNameLength) || "unnamed_tool";
    while (this.#tools.some((tool) => tool.name === name)) name += "_";
    return name;
  }

  #unused(given: string): string {
    this.#taken ??= new Set(this.#history.flatMap(({ parts }) => parts.flatMap(callIdOf)));
    const base = given.slice(0, maxIdLength).toWellFormed() || "call";
    // From where it came to last: a reply may repeat one id any number of times.
    let count = this.#lastCount.get(base) ?? 1;
    let id = count === 1 ? base : `${base}-${count}`;
    while (this.#taken.has(id)) id = `${base}-${(count += 1)}`;
    this.#lastCount.set(base, count);
    this.#taken.add(id);
    return id;
  }
}

function callIdOf(part: ModelMessage["parts"][number]): readonly string[] {
  return part.type === "tool-call" ? [part.toolCallId] : [];
}
