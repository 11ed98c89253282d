import type { Clock, FileSystem, Spawn } from "@incipit/kernel";
import type { ResolverLimits } from "../context/limits.ts";
import type { Outcome, ResolverContext } from "../types.ts";

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

export interface VariableFacts {
  /** As lint words it ("each day"); `null` if the value does not change. */
  readonly changes: string | null;
  /** Conditions on it are constant. */
  readonly isAlwaysThere: boolean;
  /** Lint does not report the absence. */
  readonly isOnlyInConversations?: true;
  /** Started first, so that others run concurrently. */
  readonly takesLongest?: true;
}

export interface Asked {
  readonly name: string;
  /** Remaining `sharedLimit`; unlimited without one. */
  readonly remainingBytes: number;
  readonly signal: AbortSignal;
}

/** An error becomes `denied` or `failed`. */
export type ReadVariable = (asked: Asked) => Outcome | PromiseLike<Outcome>;

export interface VariableType {
  /** Subject to limits; absent for built-in types, which enforce their own. */
  readonly extension?: string;
  /** Per prompt, applied in template order; values beyond it are `too-large`. */
  readonly sharedLimit?: "maxTotalFileBytes" | "maxTotalVariableBytes";
  /** A few at a time in template order, so that nothing is read beyond `sharedLimit`. */
  readonly isReadInTurn?: boolean;
  readonly facts: (name: string) => VariableFacts | undefined;
  /** Called at most once per prompt, when the first variable of the type is needed. */
  readonly open: (prompt: VariableContext) => ReadVariable;
}
