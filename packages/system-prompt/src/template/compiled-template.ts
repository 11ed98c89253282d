import type { TemplateTrace } from "./template-trace.ts";

/** Numbers, for fast comparison on each rendering. */
export const operationKind = { literal: 0, insert: 1, ifValue: 2, ifAbsent: 3, else: 4, endif: 5 } as const;

/**
 * An instruction of a compiled template: text, then a tag. An `[if]` continues with the next instruction if its
 * condition holds, else at `jump`. An `[else]`, reached from the branch before it, continues at `jump`, after the
 * block. An `[endif]` only determines jump targets.
 */
export interface Operation {
  kind: (typeof operationKind)[keyof typeof operationKind];
  before: string;
  /** `type:name`; for a literal, more text. */
  text: string;
  /** Start of `before`, and end of the tag or literal. */
  start: number;
  end: number;
  jump: number;
}

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface PendingCondition {
  readonly variable: string;
  readonly at: number;
}

/** A parsed template. Immutable and deterministic. */
export class CompiledTemplate {
  readonly #operations: readonly Operation[];

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
  }

  get whole(): Stretch {
    return { start: 0, end: this.#operations.length };
  }

  render(values: ReadonlyMap<string, string | null>, trace?: TemplateTrace): string {
    const operations = this.#operations;
    let text = "";
    for (let at = 0; at < operations.length; at++) {
      const operation = operations[at];
      if (operation === undefined) break;
      const { kind, before } = operation;
      trace?.reach(at);
      if (kind === operationKind.insert) {
        const value = values.get(operation.text) ?? "";
        if (trace !== undefined) {
          trace.literal(operation.start, before.length);
          trace.value(operation, value.length);
        }
        text = `${text}${before}${value}`;
        continue;
      }
      const rest = kind === operationKind.literal ? operation.text : "";
      trace?.literal(operation.start, before.length + rest.length);
      text = `${text}${before}${rest}`;
      if (kind === operationKind.else) at = operation.jump - 1;
      else if (kind !== operationKind.literal) {
        const hasValue = (values.get(operation.text) ?? null) !== null;
        const isNegated = kind === operationKind.ifAbsent;
        const isTaken = hasValue !== isNegated;
        trace?.enter(operation, { isNegated, isTaken, end: isTaken ? operation.jump : this.#endOf(operation) });
        if (!isTaken) at = operation.jump - 1;
      }
    }
    return text;
  }

  /**
   * Walks as far as conditions are known. Adds inserted variables to `inserts` and returns unresolved conditions,
   * whose blocks are skipped.
   */
  reach(
    stretch: Stretch,
    hasValue: ReadonlyMap<string, boolean>,
    inserts: Set<string>,
  ): readonly PendingCondition[] {
    const pending: PendingCondition[] = [];
    for (let at = stretch.start; at < stretch.end; at++) {
      const operation = this.#operations[at];
      if (operation === undefined) break;
      const { kind, text, jump } = operation;
      if (kind === operationKind.insert) inserts.add(text);
      else if (kind === operationKind.else) at = jump - 1;
      else if (kind === operationKind.ifValue || kind === operationKind.ifAbsent) {
        const isThere = hasValue.get(text);
        if (isThere === undefined) {
          pending.push({ variable: text, at });
          at = this.#endOf(operation) - 1;
        } else if (isThere !== (kind === operationKind.ifValue)) at = jump - 1;
      }
    }
    return pending;
  }

  branchOf(condition: PendingCondition, hasValue: boolean): Stretch {
    const operation = this.#operations[condition.at];
    if (operation === undefined) return { start: 0, end: 0 };
    const isTaken = hasValue === (operation.kind === operationKind.ifValue);
    return { start: isTaken ? condition.at + 1 : operation.jump, end: this.#endOf(operation) };
  }

  variables(): readonly string[] {
    const names = new Set<string>();
    for (const { kind, text } of this.#operations) {
      if (kind !== operationKind.literal && kind !== operationKind.else) names.add(text);
    }
    return [...names];
  }

  /**
   * An `[if]` jumps past its `[else]`, which has the end of the block. An inner block's `[else]` there has the same
   * end.
   */
  #endOf(conditional: Operation): number {
    const last = this.#operations[conditional.jump - 1];
    return last?.kind === operationKind.else ? last.jump : conditional.jump;
  }
}
