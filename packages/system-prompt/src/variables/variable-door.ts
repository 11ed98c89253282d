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
  /** Built-in types come before these; of two with one type, the first counts. */
  readonly contributed: readonly Contribution<PromptVariables>[];
  readonly trust: TextTrust;
  readonly describeFailure: DescribeFailure;
}

/** A `type:name`, and who resolves it. */
interface NamedVariable {
  readonly type: string;
  readonly name: string;
  /** `undefined`: there is no such type. */
  readonly source: VariableType | undefined;
}

export interface FoundVariable {
  readonly resolved: ResolvedVariable;
  /** What it spends of its type's `sharedLimit`: bytes of a file as they were read, of a text as it is sent. */
  readonly sizeBytes: number;
}

/**
 * The one way for a variable into a prompt, whoever adds it.
 *
 * - It is timed, its text is marked as trusted or not, and what is thrown is `denied` or `failed`.
 * - What extensions add also has a deadline, a size and a count; what they throw is described.
 */
export class VariableDoor {
  readonly #options: VariableDoorOptions;
  readonly #contributed: ContributedTypes["byType"];
  readonly #named = new Map<string, NamedVariable>();
  readonly #opened = new Map<string, ReadVariable>();
  #contributedCount = 0;

  constructor(options: VariableDoorOptions) {
    this.#options = options;
    this.#contributed = contributedTypes(options.contributed).byType;
  }

  /** @param variable As `type:name`. */
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

  /** Never rejects, so that what nobody waits for any more cannot fail unseen. */
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

  /** Code of an extension: asked so many times, for so long, and for so much. */
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
    // What is sent and kept is UTF-8, in which a lone surrogate has no form: explain shows the value as the prompt has it.
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

/** Whatever was thrown may itself throw when it is looked at. */
function isDenied(error: unknown): boolean {
  try {
    return KernelError.is(error) && error.code === "CAPABILITY_DENIED";
  } catch {
    return false;
  }
}
