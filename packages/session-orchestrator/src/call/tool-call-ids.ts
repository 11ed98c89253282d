import type { ModelMessage, ToolDefinition } from "@incipit/schema";
import { toolNamePattern } from "../store/tool-list.ts";

/** Longer than any vendor's id; ids are part of keys and URLs. */
const maxIdLength = 200;
/** Leaves room for a suffix. */
const maxNameLength = 48;

/**
 * Models repeat or omit call ids and invent names, and vendors reject a history with them. Calls with one id are
 * matched in the order in which they begin and complete.
 */
export class ToolCallIds {
  readonly #history: readonly ModelMessage[];
  readonly #tools: readonly ToolDefinition[];
  readonly #begun = new Map<string, string[]>();
  #taken: Set<string> | undefined;
  readonly #lastCount = new Map<string, number>();

  constructor(history: readonly ModelMessage[], tools: readonly ToolDefinition[]) {
    this.#history = history;
    this.#tools = tools;
  }

  begin(given: string): string {
    const id = this.#unused(given);
    this.#begun.set(given, [...(this.#begun.get(given) ?? []), id]);
    return id;
  }

  begun(given: string): string | undefined {
    return this.#begun.get(given)?.[0];
  }

  /** Ids of discarded calls stay reserved. */
  restart(): void {
    this.#begun.clear();
  }

  take(given: string): string {
    return this.#begun.get(given)?.shift() ?? this.#unused(given);
  }

  nameOf(given: string): string {
    if (toolNamePattern.test(given)) return given;
    let name = given.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, maxNameLength) || "unnamed_tool";
    while (this.#tools.some((tool) => tool.name === name)) name += "_";
    return name;
  }

  #unused(given: string): string {
    this.#taken ??= new Set(this.#history.flatMap(({ parts }) => parts.flatMap(callIdOf)));
    const base = given.slice(0, maxIdLength).toWellFormed() || "call";
    // Continue from the last suffix: a reply may repeat one id very often.
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
