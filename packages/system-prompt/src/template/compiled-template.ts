import type { TemplateTrace } from "./template-trace.ts";

/** Numbers, not names: they are compared for every tag of every rendering. */
export const operationKind = { literal: 0, insert: 1, ifValue: 2, ifAbsent: 3, else: 4, endif: 5 } as const;

/**
 * One instruction of a compiled template: the text before a tag, then the tag. An `[if]` goes on behind itself when its
 * condition holds, else at `jump`; an `[else]` is reached from the branch before it and goes on at `jump`, behind the
 * block. An `[endif]` is no instruction: it only fixes where the others jump to.
 */
export interface Operation {
  kind: (typeof operationKind)[keyof typeof operationKind];
  before: string;
  /** The variable's `type:name`; of a literal, more text. */
  text: string;
  /** Where `before` begins in the template, and where the tag, or the literal text, ends. */
  start: number;
  end: number;
  jump: number;
}

/** A part of a template, in instructions. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** An `[if]` that was reached while its variable was not known. */
export interface PendingCondition {
  readonly variable: string;
  readonly at: number;
}

/** A template that was read once. Immutable: the same values always give the same text. */
export class CompiledTemplate {
  readonly #operations: readonly Operation[];

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
  }

  /** All of it, for `reach`. */
  get whole(): Stretch {
    return { start: 0, end: this.#operations.length };
  }

  /** `trace` is told where each part of the text came from. */
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
   * Goes through what is rendered of `stretch` as far as conditions are known: adds to `inserts` what is inserted on the
   * way, and gives the conditions that are not known, which it goes around.
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

  /** The branch of a pending condition that its variable chooses; it may be empty. */
  branchOf(condition: PendingCondition, hasValue: boolean): Stretch {
    const operation = this.#operations[condition.at];
    if (operation === undefined) return { start: 0, end: 0 };
    const isTaken = hasValue === (operation.kind === operationKind.ifValue);
    return { start: isTaken ? condition.at + 1 : operation.jump, end: this.#endOf(operation) };
  }

  /** Every variable that is named, conditions too, each once, in order. */
  variables(): readonly string[] {
    const names = new Set<string>();
    for (const { kind, text } of this.#operations) {
      if (kind !== operationKind.literal && kind !== operationKind.else) names.add(text);
    }
    return [...names];
  }

  /** An `[if]` jumps behind its `[else]`, which knows the end of the block. An inner block's `[else]` there ends where this one does. */
  #endOf(conditional: Operation): number {
    const last = this.#operations[conditional.jump - 1];
    return last?.kind === operationKind.else ? last.jump : conditional.jump;
  }
}
