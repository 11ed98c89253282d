import type { ToolCallDelta } from "./chat-chunk.ts";

/**
 * Deltas of calls, each held back until its call has a name: some compatible endpoints send the first of a call without.
 * Deltas without an index go on as they are.
 */
export class NamedCalls {
  readonly #waiting = new Map<
    number,
    { -readonly [Key in "id" | "extra_content"]: ToolCallDelta[Key] } & { arguments: string }
  >();
  readonly #named = new Set<number>();

  /** `undefined`: it waits for its name. */
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

  /** Those whose name never came. */
  nameless(): readonly ToolCallDelta[] {
    return [...this.#waiting].map(([index, { id, arguments: text }]) => ({
      index,
      id,
      function: { arguments: text },
    }));
  }
}
