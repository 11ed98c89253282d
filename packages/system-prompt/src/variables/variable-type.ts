import type { Clock, FileSystem, Spawn } from "@incipit/kernel";
import type { ResolverLimits } from "../context/limits.ts";
import type { Outcome, ResolverContext } from "../types.ts";

/** What a type of variables has at hand while one prompt is built. */
export interface VariableContext {
  readonly context: ResolverContext;
  /** One moment for the whole prompt. */
  readonly now: Date;
  readonly fs: Pick<FileSystem, "readFile">;
  readonly spawn: Pick<Spawn, "run">;
  readonly clock: Clock;
  readonly limits: ResolverLimits;
  readonly signal: AbortSignal;
}

/** What is true of a variable whatever its value is at this moment. */
export interface VariableFacts {
  /** How often its value changes by itself, as lint says it: "each day"; `null`: it does not. */
  readonly changes: string | null;
  /** It has a value wherever a prompt is built: a condition on it tells no two cases apart. */
  readonly isAlwaysThere: boolean;
  /** A template on its own has none: lint does not tell of it. */
  readonly isOnlyInConversations?: true;
  /** It takes the longest of all, and is begun first: what is begun beside it costs nothing. */
  readonly takesLongest?: true;
}

/** One variable that is asked for. */
export interface Asked {
  readonly name: string;
  /** What is left of the type's `sharedLimit`; without one, no number is too large. */
  readonly remainingBytes: number;
  /** Aborts when nobody waits for this variable any more. */
  readonly signal: AbortSignal;
}

/** Its value, or why there is none; a throw is told as `denied` or `failed`. */
export type ReadVariable = (asked: Asked) => Outcome | PromiseLike<Outcome>;

/** All variables `type:…` of one type. The host's own and those of extensions are resolved by this alone. */
export interface VariableType {
  /** Whose code it is, which is held to the limits of extensions; absent: the host's own, which keeps its limits itself. */
  readonly extension?: string;
  /** Which limit the values of a prompt have together: it is spent in template order, and who comes late is `too-large`. */
  readonly sharedLimit?: "maxTotalFileBytes" | "maxTotalVariableBytes";
  /** Begun in template order, a few at a time, so that nothing is read which `sharedLimit` has no room for. */
  readonly isReadInTurn?: boolean;
  /** `undefined`: there is no such variable, or nobody knows anything of it. */
  readonly facts: (name: string) => VariableFacts | undefined;
  /** Called at most once a prompt, when the first variable of the type is asked for. */
  readonly open: (prompt: VariableContext) => ReadVariable;
}
