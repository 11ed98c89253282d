import type { Clock, FileSystem, Spawn } from "@incipit/kernel";
import type { ResolverLimits } from "../context/limits.ts";
import type { Outcome, ResolverContext } from "../types.ts";

/** Context of a variable type for one prompt. */
export interface VariableContext {
  readonly context: ResolverContext;
  /** The same moment for the whole prompt. */
  readonly now: Date;
  readonly fs: Pick<FileSystem, "readFile">;
  readonly spawn: Pick<Spawn, "run">;
  readonly clock: Clock;
  readonly limits: ResolverLimits;
  readonly signal: AbortSignal;
}

/** Static properties of a variable. */
export interface VariableFacts {
  /** How often its value changes, as lint words it ("each day"); `null` if it does not. */
  readonly changes: string | null;
  /** Always has a value, so conditions on it are constant. */
  readonly isAlwaysThere: boolean;
  /** Absent outside conversations; lint does not report that. */
  readonly isOnlyInConversations?: true;
  /** The slowest variable, started first so that others run concurrently. */
  readonly takesLongest?: true;
}

export interface Asked {
  readonly name: string;
  /** Remaining `sharedLimit` of the type; unlimited without one. */
  readonly remainingBytes: number;
  /** Aborts when the variable is no longer needed. */
  readonly signal: AbortSignal;
}

/** Returns the value or the reason for its absence; an error becomes `denied` or `failed`. */
export type ReadVariable = (asked: Asked) => Outcome | PromiseLike<Outcome>;

/** All variables of one type, built in or contributed. */
export interface VariableType {
  /** Extension subject to limits; absent for built-in types, which enforce their own. */
  readonly extension?: string;
  /** Limit shared by the values of a prompt, applied in template order; values beyond it are `too-large`. */
  readonly sharedLimit?: "maxTotalFileBytes" | "maxTotalVariableBytes";
  /** Started in template order, a few at a time, so that nothing is read beyond `sharedLimit`. */
  readonly isReadInTurn?: boolean;
  /** Returns `undefined` for an unknown variable. */
  readonly facts: (name: string) => VariableFacts | undefined;
  /** Called at most once per prompt, when the first variable of the type is needed. */
  readonly open: (prompt: VariableContext) => ReadVariable;
}
