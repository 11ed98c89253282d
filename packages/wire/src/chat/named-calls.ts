import type { ToolCallDelta } from "./chat-chunk.ts";

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
