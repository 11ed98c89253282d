import type { Clock, FileSystem, Spawn } from "@incipit/kernel";
import type { ResolverLimits } from "../context/limits.ts";
import type { Outcome, ResolverContext } from "../types.ts";

export interface VariableContext {
  readonly context: ResolverContext;
  /** Time of the prompt, the same for all its variables. */
  readonly now: Date;
  readonly fs: Pick<FileSystem, "readFile">;
  readonly spawn: Pick<Spawn, "run">;
  readonly clock: Clock;
  readonly limits: ResolverLimits;
  readonly signal: AbortSignal;
}

export interface VariableFacts {
  /** How often the value changes, as lint reports it, such as `each day`; `null` if it does not change. */
  readonly changes: string | null;
  /** Whether the variable always has a value, so that conditions on it are constant. */
  readonly isAlwaysThere: boolean;
  /** Set if the variable exists only in conversations: lint does not report it as absent. */
  readonly isOnlyInConversations?: true;
  /** Set for the slowest variable, which is started first so that others run concurrently. */
  readonly takesLongest?: true;
}

export interface Asked {
  readonly name: string;
  /** Bytes left of the type's `sharedLimit` in this prompt; `Infinity` for a type without one. */
  readonly remainingBytes: number;
  readonly signal: AbortSignal;
}

/** Reads a variable. A thrown error becomes the outcome `denied` or `failed`. */
export type ReadVariable = (asked: Asked) => Outcome | PromiseLike<Outcome>;

export interface VariableType {
  /** Id of the extension that provides the type, whose reads the host limits; absent for built-in types. */
  readonly extension?: string;
  /** Limit on the total bytes of a prompt, counted in template order; values beyond it are `too-large`. */
  readonly sharedLimit?: "maxTotalFileBytes" | "maxTotalVariableBytes";
  /** Set to read a few variables at a time in template order, so that nothing is read beyond `sharedLimit`. */
  readonly isReadInTurn?: boolean;
  readonly facts: (name: string) => VariableFacts | undefined;
  /** Returns the reader. Called at most once per prompt, when the first variable of the type is needed. */
  readonly open: (prompt: VariableContext) => ReadVariable;
}
