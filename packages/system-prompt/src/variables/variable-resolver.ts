import { KernelError, type Contribution } from "@incipit/kernel";
import type { PromptVariables } from "@incipit/service-contract";
import type { DescribeFailure, Outcome, ResolvedVariable } from "../types.ts";
import { builtInVariables } from "./built-in-variables.ts";
import { contributedTypes, type ContributedTypes } from "./contributed-types.ts";
import { withDeadline } from "./deadline.ts";
import { cut } from "./failure-text.ts";
import { isLarger } from "./is-larger.ts";
import type { TextTrust } from "./text-trust.ts";
import type { ReadVariable, VariableContext, VariableType } from "./variable-type.ts";
import { variablesOfExtension } from "./variables-of-extension.ts";

export interface VariableDoorOptions {
  readonly prompt: VariableContext;
  /** Built-in types take precedence; of duplicates, the first. */
  readonly contributed: readonly Contribution<PromptVariables>[];
  readonly trust: TextTrust;
  readonly describeFailure: DescribeFailure;
}

interface NamedVariable {
  readonly type: string;
  readonly name: string;
  readonly source: VariableType | undefined;
}

export interface FoundVariable {
  readonly resolved: ResolvedVariable;
  /** Counted against `sharedLimit`: bytes of a file as read, of a text as sent. */
  readonly sizeBytes: number;
}

/**
 * Measures time, determines trust, and maps errors to `denied` or `failed`. For extensions, also enforces a deadline,
 * a size and a count.
 */
export class VariableResolver {
  readonly #options: VariableDoorOptions;
  readonly #contributed: ContributedTypes["byType"];
  readonly #named = new Map<string, NamedVariable>();
  readonly #opened = new Map<string, ReadVariable>();
  #contributedCount = 0;

  constructor(options: VariableDoorOptions) {
    this.#options = options;
    this.#contributed = contributedTypes(options.contributed).byType;
  }

  named(variable: string): NamedVariable {
    const known = this.#named.get(variable);
    if (known !== undefined) return known;
    const separator = variable.indexOf(":");
    const type = variable.slice(0, separator);
    const added = this.#contributed.get(type);
    const source =
      builtInVariables.get(type) ??
      (added === undefined ? undefined : variablesOfExtension(added, this.#options.trust.untrusted));
    const named = { type, name: variable.slice(separator + 1), source };
    this.#named.set(variable, named);
    return named;
  }

  /** Never rejects, so that abandoned calls cause no unhandled rejection. */
  async resolve(variable: string, remainingBytes: number): Promise<FoundVariable> {
    const { prompt, trust } = this.#options;
    const startedAt = prompt.clock.now();
    const named = this.named(variable);
    const { type, name } = named;
    let outcome: Outcome;
    let sizeBytes = 0;
    try {
      const found = await this.#read(named, remainingBytes);
      sizeBytes = sizeOf(found);
      outcome = await trust.mark(found, name);
    } catch (error) {
      outcome = await this.#failure(named, error);
    }
    return { resolved: { ...outcome, type, name, tookMs: Math.max(0, prompt.clock.now() - startedAt) }, sizeBytes };
  }

  async #read({ type, name, source }: NamedVariable, remainingBytes: number): Promise<Outcome> {
    const { signal } = this.#options.prompt;
    if (source === undefined) return { kind: "absent", reason: "unknown-type", source: type };
    const { extension } = source;
    if (extension === undefined) return this.#reader(type, source)({ name, remainingBytes, signal });
    return this.#readWithinLimits(extension, (late) =>
      this.#reader(type, source)({ name, remainingBytes, signal: late }),
    );
  }

  async #readWithinLimits(
    extension: string,
    read: (signal: AbortSignal) => Outcome | PromiseLike<Outcome>,
  ): Promise<Outcome> {
    const { clock, signal, limits } = this.#options.prompt;
    const { maxContributedVariables, variableTimeoutMs: timeoutMs, maxVariableBytes } = limits;
    const absent = { kind: "absent", source: extension, extension } as const;
    this.#contributedCount += 1;
    if (this.#contributedCount > maxContributedVariables) return { ...absent, reason: "too-many" };
    const answer = await withDeadline(read, { clock, timeoutMs, signal });
    if (answer.kind === "timeout")
      return { ...absent, reason: "timeout", detail: `not done within ${timeoutMs} ms` };
    const outcome = answer.value;
    if (outcome.kind === "absent") return outcome;
    if (isLarger(outcome.value, maxVariableBytes))
      return { ...absent, reason: "too-large", detail: `has more than ${maxVariableBytes} bytes` };
    // Sent and stored as UTF-8, which cannot represent lone surrogates: explain must show the same value.
    return { ...outcome, value: outcome.value.toWellFormed() };
  }

  #reader(type: string, source: VariableType): ReadVariable {
    const opened = this.#opened.get(type) ?? source.open(this.#options.prompt);
    this.#opened.set(type, opened);
    return opened;
  }

  async #failure({ type, name, source }: NamedVariable, error: unknown): Promise<Outcome> {
    const { prompt, describeFailure } = this.#options;
    const reason = isDenied(error) ? "denied" : "failed";
    const extension = source?.extension;
    if (extension === undefined || prompt.signal.aborted)
      return { kind: "absent", reason, source: `${type}:${name}` };
    const detail = await describeFailure(extension, { what: `variable [${type}:${cut(name)}]`, error });
    return { kind: "absent", reason, source: extension, extension, detail };
  }
}

function sizeOf(found: Outcome): number {
  if (found.kind === "absent") return 0;
  return found.origin?.kind === "file" ? found.origin.bytes.byteLength : Buffer.byteLength(found.value);
}

/** A thrown value may itself throw when inspected. */
function isDenied(error: unknown): boolean {
  try {
    return KernelError.is(error) && error.code === "CAPABILITY_DENIED";
  } catch {
    return false;
  }
}
