import type { ResolverLimits } from "./context/limits.ts";
import type { CompiledTemplate, PendingCondition, Stretch } from "./template/compiled-template.ts";
import { TextTrust } from "./variables/text-trust.ts";
import { VariableResolver, type FoundVariable } from "./variables/variable-resolver.ts";
import type { ResolvedVariable, ResolverContext, VariableSources } from "./types.ts";

/** Bounds memory use before the total limit is checked. */
const readAtOnce = 16;

export interface ResolveOptions {
  readonly context: ResolverContext;
  readonly sources: VariableSources;
  readonly signal: AbortSignal;
}

/**
 * Resolves the variables of the rendered branches by `type:name`: conditions first, level by level, then inserted
 * variables; in parallel, each once. A shared limit is applied in that order, and in template order within it; values
 * beyond it are `too-large`.
 *
 * @throws the reason of `signal`, and nothing else: an unavailable variable is absent with a reason.
 */
export function resolveVariables(
  templates: readonly CompiledTemplate[],
  options: ResolveOptions,
): Promise<ReadonlyMap<string, ResolvedVariable>> {
  return new VariableResolution(options).resolve(templates);
}

/** Variables of one prompt: a value that an earlier `resolve` returned is not resolved again. */
export class VariableResolution {
  readonly #signal: AbortSignal;
  readonly #limits: ResolverLimits;
  readonly #door: VariableResolver;
  readonly #known = new Map<string, FoundVariable>();

  constructor({ context, sources, signal }: ResolveOptions) {
    const { fs, spawn, clock, limits, folderTrust, untrusted, contributed, describeFailure } = sources;
    const now = new Date(clock.now()); // The same moment for `time` and `date`.
    this.#signal = signal;
    this.#limits = limits;
    this.#door = new VariableResolver({
      prompt: { context, now, fs, spawn, clock, limits, signal },
      contributed,
      trust: new TextTrust({ cwd: context.cwd, folderTrust, untrusted }),
      describeFailure,
    });
  }

  /** As `resolveVariables`; the shared limits start anew with each call. */
  async resolve(templates: readonly CompiledTemplate[]): Promise<ReadonlyMap<string, ResolvedVariable>> {
    this.#signal.throwIfAborted();
    const pass = new Pass({ signal: this.#signal, limits: this.#limits, door: this.#door, known: this.#known });
    const hasValue = new Map<string, boolean>();
    let level: { readonly template: CompiledTemplate; readonly stretch: Stretch }[] = [];
    for (const template of templates) level.push({ template, stretch: template.whole });

    while (level.length > 0) {
      const pending: { readonly template: CompiledTemplate; readonly condition: PendingCondition }[] = [];
      const inserts = new Set<string>();
      for (const { template, stretch } of level) {
        for (const condition of template.reach(stretch, hasValue, inserts)) pending.push({ template, condition });
      }
      const conditions = new Set<string>();
      for (const { condition } of pending) conditions.add(condition.variable);
      pass.begin([...conditions, ...inserts]); // Inserts outside of conditions are always needed.
      await pass.settle(conditions);
      for (const variable of conditions) hasValue.set(variable, pass.resolved.get(variable)?.kind === "value");
      level = [];
      for (const { template, condition } of pending) {
        const stretch = template.branchOf(condition, hasValue.get(condition.variable) ?? false);
        if (stretch.start < stretch.end) level.push({ template, stretch });
      }
    }

    const inserts = new Set<string>();
    for (const template of templates) template.reach(template.whole, hasValue, inserts);
    await pass.settle(inserts);
    return pass.resolved;
  }
}

class Pass {
  readonly resolved = new Map<string, ResolvedVariable>();
  readonly #signal: AbortSignal;
  readonly #door: VariableResolver;
  readonly #known: Map<string, FoundVariable>;
  readonly #begun = new Map<string, Promise<FoundVariable>>();
  readonly #remaining: { maxTotalFileBytes: number; maxTotalVariableBytes: number };

  constructor({
    signal,
    limits: { maxTotalFileBytes, maxTotalVariableBytes },
    door,
    known,
  }: {
    readonly signal: AbortSignal;
    readonly limits: ResolverLimits;
    readonly door: VariableResolver;
    readonly known: Map<string, FoundVariable>;
  }) {
    this.#signal = signal;
    this.#door = door;
    this.#known = known;
    this.#remaining = { maxTotalFileBytes, maxTotalVariableBytes };
  }

  begin(variables: readonly string[]): void {
    const slowest: string[] = [];
    const others: string[] = [];
    for (const variable of variables) {
      const { source, name } = this.#door.named(variable);
      if (source?.isReadInTurn === true) continue;
      (source?.facts(name)?.takesLongest === true ? slowest : others).push(variable);
    }
    for (const variable of [...slowest, ...others])
      if (!this.#begun.has(variable)) this.#begun.set(variable, this.#find(variable));
  }

  async settle(variables: Iterable<string>): Promise<void> {
    const wanted = [...variables].filter((variable) => !this.resolved.has(variable));
    this.begin(wanted);
    await this.#readInTurn(wanted.filter((variable) => !this.#begun.has(variable)));
    for (const variable of wanted) {
      const begun = this.#begun.get(variable);
      if (begun !== undefined) this.#take(variable, await begun);
      this.#signal.throwIfAborted();
    }
  }

  async #readInTurn(variables: readonly string[]): Promise<void> {
    const reading: { readonly variable: string; readonly found: Promise<FoundVariable> }[] = [];
    let next = 0;
    for (;;) {
      while (reading.length < readAtOnce && next < variables.length) {
        const variable = variables[next++] ?? "";
        reading.push({ variable, found: this.#find(variable) });
      }
      const first = reading.shift();
      if (first === undefined) return;
      const found = await first.found;
      this.#signal.throwIfAborted();
      this.#take(first.variable, found);
    }
  }

  async #find(variable: string): Promise<FoundVariable> {
    const known = this.#known.get(variable);
    if (known !== undefined) return known;
    const { source } = this.#door.named(variable);
    const remainingBytes = source?.sharedLimit === undefined ? Infinity : this.#remaining[source.sharedLimit];
    return this.#door.resolve(variable, remainingBytes);
  }

  /** Called in a fixed order regardless of completion; values beyond the limit are `too-large`. */
  #take(variable: string, found: FoundVariable): void {
    const { resolved, sizeBytes } = found;
    const limit = this.#door.named(variable).source?.sharedLimit;
    if (limit === undefined || sizeBytes <= this.#remaining[limit]) {
      if (limit !== undefined) this.#remaining[limit] -= sizeBytes;
      this.resolved.set(variable, resolved);
      this.#known.set(variable, found);
      return;
    }
    const { type, name, source, extension, tookMs } = resolved;
    const whose = extension === undefined ? {} : { extension };
    this.resolved.set(variable, { kind: "absent", reason: "too-large", type, name, source, ...whose, tookMs });
  }
}
