import { hostname } from "node:os";
import { KernelError } from "@incipit/kernel";
import type { CompiledTemplate, PendingCondition, Stretch } from "./template/compiled-template.ts";
import { contributedTypes, type ContributedTypes } from "./variables/contributed-types.ts";
import { resolveContributed } from "./variables/contributed-variable.ts";
import { readFileVariable } from "./variables/file-variable.ts";
import { GitVariables } from "./variables/git-variables.ts";
import { TextTrust } from "./variables/text-trust.ts";
import type { Outcome, ResolvedVariable, ResolverContext, VariableSources } from "./types.ts";

/** Files that are read at one time: bounds what is held before the limit of all files together is known to be passed. */
const filesAtOnce = 16;

export interface ResolveOptions {
  readonly context: ResolverContext;
  readonly sources: VariableSources;
  readonly signal: AbortSignal;
}

/**
 * The values of what is rendered, by `type:name`, and of nothing else: conditions first, level by level, as far as their
 * branches are chosen; then what is inserted. In parallel, each once.
 *
 * The limit of all files together is spent in that order, and in template order within it: who comes late is `too-large`.
 * @throws the reason of `signal`, and nothing else: a variable that cannot be had is absent, and says why.
 */
export async function resolveVariables(
  templates: readonly CompiledTemplate[],
  options: ResolveOptions,
): Promise<ReadonlyMap<string, ResolvedVariable>> {
  options.signal.throwIfAborted();
  const resolution = new Resolution(options);
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
    resolution.begin([...conditions, ...inserts]); // Inserts are reached whatever the conditions turn out to be.
    await resolution.settle(conditions);
    for (const variable of conditions) hasValue.set(variable, resolution.resolved.get(variable)?.kind === "value");
    level = [];
    for (const { template, condition } of pending) {
      const stretch = template.branchOf(condition, hasValue.get(condition.variable) ?? false);
      if (stretch.start < stretch.end) level.push({ template, stretch });
    }
  }

  const inserts = new Set<string>();
  for (const template of templates) template.reach(template.whole, hasValue, inserts);
  await resolution.settle(inserts);
  return resolution.resolved;
}

/** What has been found out for one prompt. */
class Resolution {
  readonly resolved = new Map<string, ResolvedVariable>();
  readonly #options: ResolveOptions;
  readonly #now: Date;
  /** Under way or done, but files: those are read when their turn has come. */
  readonly #begun = new Map<string, Promise<ResolvedVariable>>();
  readonly #git: GitVariables;
  readonly #trust: TextTrust;
  readonly #contributed: ContributedTypes["byType"];
  #contributedCount = 0;
  #remainingFileBytes: number;
  #remainingVariableBytes: number;

  constructor(options: ResolveOptions) {
    this.#options = options;
    this.#now = new Date(options.sources.clock.now()); // One moment for `time` and `date`.
    const { context, sources, signal } = options;
    const { fs, spawn, clock, limits, folderTrust, untrusted } = sources;
    this.#trust = new TextTrust({ cwd: context.cwd, folderTrust, untrusted });
    this.#git = new GitVariables({ fs, spawn, clock, cwd: context.cwd, timeoutMs: limits.gitTimeoutMs, signal });
    this.#contributed = contributedTypes(options.sources.contributed).byType;
    this.#remainingFileBytes = options.sources.limits.maxTotalFileBytes;
    this.#remainingVariableBytes = options.sources.limits.maxTotalVariableBytes;
  }

  begin(variables: readonly string[]): void {
    // Two processes one after the other take longest: what is started beside them costs nothing.
    const isSlowest = (variable: string): boolean => variable === "git:status";
    const slowestFirst = [...variables.filter(isSlowest), ...variables.filter((variable) => !isSlowest(variable))];
    for (const variable of slowestFirst) {
      if (isFile(variable) || this.#begun.has(variable)) continue;
      this.#begun.set(
        variable,
        this.#timed(variable, (type, name) => this.#outcomeOf(type, name)),
      );
    }
  }

  async settle(variables: Iterable<string>): Promise<void> {
    const wanted = [...variables].filter((variable) => !this.resolved.has(variable));
    this.begin(wanted);
    await this.#readFiles(wanted.filter(isFile));
    for (const variable of wanted) {
      const begun = this.#begun.get(variable);
      if (begun !== undefined) this.resolved.set(variable, this.#withinTotal(await begun));
      this.#options.signal.throwIfAborted();
    }
  }

  /** All that extensions give is counted in one order, however fast they are. */
  #withinTotal(variable: ResolvedVariable): ResolvedVariable {
    if (variable.kind === "absent" || variable.extension === undefined) return variable;
    const sizeBytes = Buffer.byteLength(variable.value);
    if (sizeBytes <= this.#remainingVariableBytes) {
      this.#remainingVariableBytes -= sizeBytes;
      return variable;
    }
    const { type, name, source, extension, tookMs } = variable;
    return { kind: "absent", reason: "too-large", type, name, source, extension, tookMs };
  }

  async #readFiles(variables: readonly string[]): Promise<void> {
    const reading: { readonly variable: string; readonly file: Promise<ResolvedVariable>; sizeBytes: number }[] =
      [];
    let next = 0;
    for (;;) {
      while (reading.length < filesAtOnce && next < variables.length) {
        const variable = variables[next++] ?? "";
        const file = this.#timed(variable, async (_type, path) => {
          const { outcome, sizeBytes } = await this.#readFile(path);
          entry.sizeBytes = sizeBytes;
          return outcome;
        });
        const entry = { variable, file, sizeBytes: 0 };
        reading.push(entry);
      }
      const first = reading.shift();
      if (first === undefined) return;
      const file = await first.file;
      this.#options.signal.throwIfAborted();
      if (first.sizeBytes > this.#remainingFileBytes) {
        const { type, name, source, tookMs } = file;
        this.resolved.set(first.variable, { kind: "absent", reason: "too-large", type, name, source, tookMs });
      } else {
        this.#remainingFileBytes -= first.sizeBytes;
        this.resolved.set(first.variable, file);
      }
    }
  }

  #readFile(path: string): ReturnType<typeof readFileVariable> {
    const { context, sources, signal } = this.#options;
    const { maxFileBytes, fileTimeoutMs } = sources.limits;
    return readFileVariable(path, {
      fs: sources.fs,
      cwd: context.cwd,
      maxBytes: Math.min(maxFileBytes, this.#remainingFileBytes),
      timeoutMs: fileTimeoutMs,
      signal,
    });
  }

  async #outcomeOf(type: string, name: string): Promise<Outcome> {
    const { context, sources, signal } = this.#options;
    const { clock, limits, describeFailure } = sources;
    switch (type) {
      case "system":
        return this.#systemVariable(name);
      case "prompt":
        return promptVariable(name, context);
      case "git":
        return this.#git.read(name);
      default: {
        const contribution = this.#contributed.get(type);
        if (contribution === undefined) return { kind: "absent", reason: "unknown-type", source: type };
        const { extension } = contribution;
        this.#contributedCount += 1;
        if (this.#contributedCount > limits.maxContributedVariables)
          return { kind: "absent", reason: "too-many", source: extension, extension };
        const { variableTimeoutMs: timeoutMs, maxVariableBytes: maxBytes } = limits;
        const common = { context, clock, timeoutMs, maxBytes, describeFailure, signal };
        return resolveContributed(contribution, { type, name }, common);
      }
    }
  }

  #systemVariable(name: string): Outcome {
    switch (name) {
      case "time":
        return { kind: "value", value: this.#now.toISOString(), source: "clock" };
      case "date":
        return { kind: "value", value: this.#now.toISOString().slice(0, "YYYY-MM-DD".length), source: "clock" };
      case "os":
        return { kind: "value", value: process.platform, source: "process.platform" };
      case "hostname":
        return { kind: "value", value: hostname(), source: "os.hostname()" };
      default:
        return { kind: "absent", reason: "not-found", source: "system" };
    }
  }

  /** Never rejects, so that what nobody waits for any more cannot fail unseen. */
  async #timed(
    variable: string,
    work: (type: string, name: string) => Promise<Outcome>,
  ): Promise<ResolvedVariable> {
    const { clock } = this.#options.sources;
    const startedAt = clock.now();
    const separator = variable.indexOf(":");
    const type = variable.slice(0, separator);
    const name = variable.slice(separator + 1);
    let outcome: Outcome;
    try {
      outcome = await this.#trust.mark(await work(type, name), name);
    } catch (error) {
      const isDenied = KernelError.is(error) && error.code === "CAPABILITY_DENIED";
      outcome = { kind: "absent", reason: isDenied ? "denied" : "failed", source: variable };
    }
    return { ...outcome, type, name, tookMs: Math.max(0, clock.now() - startedAt) };
  }
}

function isFile(variable: string): boolean {
  return variable.startsWith("file:");
}

function promptVariable(name: string, { cwd, model, conversationId }: ResolverContext): Outcome {
  const source = "conversation";
  const values = new Map([
    ["cwd", cwd],
    ["model", model],
    ["conversation_id", conversationId],
  ]);
  if (!values.has(name)) return { kind: "absent", reason: "not-found", source };
  const value = values.get(name);
  return value === undefined ? { kind: "absent", reason: "not-set", source } : { kind: "value", value, source };
}
