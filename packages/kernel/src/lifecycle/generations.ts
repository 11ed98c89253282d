import { Activation, type ActivationOptions } from "./activation.ts";
import type { Definition } from "./definition.ts";
import type { Entries } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { causeMessage, errorMessage } from "../failures/error-message.ts";
import type { Drivers, KernelTimeouts, ReservedNames } from "../contract/kernel.ts";
import { KernelError } from "../failures/kernel-error.ts";
import type { DrainResult } from "../services/leases.ts";
import type { Refusals } from "../capability/refusals.ts";
import { extensionRefused } from "../failures/extension-refused.ts";
import { readKernelError } from "../failures/read-kernel-error.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";
import { DeadlineError, withDeadline } from "../time/with-deadline.ts";

export interface GenerationsOptions {
  readonly drivers: Drivers;
  readonly registry: ServiceRegistry;
  readonly reserved: ReservedNames;
  readonly entries: Entries;
  readonly timeouts: KernelTimeouts;
  readonly started: Promise<void>;
}

export interface Replaced {
  readonly replaces: Activation;
  readonly isBeside?: boolean;
}

export interface DrainRequest {
  readonly activation: Activation;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type StartResult =
  | { readonly kind: "started"; readonly activation: Activation }
  | { readonly kind: "failed"; readonly error: KernelError };

/** Starts and ends single generations with deadlines. Knows nothing of other extensions. */
export class Generations {
  readonly #options: GenerationsOptions;

  constructor(options: GenerationsOptions) {
    this.#options = options;
  }

  async start(entry: Entry, definition: Definition, replaced?: Replaced): Promise<StartResult> {
    try {
      return { kind: "started", activation: await this.#activate(entry, definition, replaced) };
    } catch (cause) {
      const { id } = definition.manifest;
      const isSettled = cause instanceof KernelError && cause.extension === id;
      return { kind: "failed", error: isSettled ? cause : activateError(id, cause) };
    }
  }

  async end(entry: Entry, activation: Activation): Promise<void> {
    activation.withdraw();
    activation.leases.refuse();
    await this.#closeScope(entry, activation);
    await this.#drainWithGrace(activation);
  }

  async drain(entry: Entry, { activation, timeoutMs, signal }: DrainRequest): Promise<DrainResult> {
    await activation.leases.drain({ timeoutMs, clock: this.#options.drivers.clock, signal });
    await this.#closeScope(entry, activation);
    return this.#drainWithGrace(activation);
  }

  reportUncaught(id: string, error: unknown): void {
    const message = `"${id}" threw an uncaught error: ${errorMessage(error)}`;
    this.#options.drivers.log(id).error(message, { cause: causeMessage(error) });
    const entry = this.#options.entries.find(id);
    if (entry !== undefined)
      entry.lastError = new KernelError("UNCAUGHT", message, { extension: id, cause: error });
  }

  async #activate(entry: Entry, definition: Definition, replaced?: Replaced): Promise<Activation> {
    const { drivers, registry, reserved, timeouts, started } = this.#options;
    const { manifest, activate, granted, trust } = definition;
    const errorBefore = entry.lastError;
    entry.lastGeneration += 1;
    const activation = new Activation({
      manifest,
      generation: entry.lastGeneration,
      granted,
      trust,
      drivers,
      registry,
      reserved,
      releaseTimeoutMs: timeouts.releaseTimeoutMs,
      started,
      ...this.#listenersFor(entry),
      ...replaced,
    });
    const run = async (): Promise<void> => {
      try {
        await activate(activation.host);
      } catch (cause) {
        throw thrownError(manifest.id, cause); // Includes deadline errors of the extension itself.
      }
    };
    const timeoutMs = trust === "core" ? timeouts.coreActivateTimeoutMs : timeouts.activateTimeoutMs;
    try {
      await withDeadline(run, { timeoutMs, clock: drivers.clock });
      activation.finish();
      // Keep an uncaught error from this start.
      if (entry.lastError === errorBefore) entry.lastError = undefined;
      return activation;
    } catch (cause) {
      activation.leases.refuse();
      await this.#closeScope(entry, activation);
      activation.forgetPredecessor();
      if (!(cause instanceof DeadlineError)) throw cause;
      const message = `Cannot start "${manifest.id}": activate did not end within ${cause.timeoutMs} ms`;
      throw new KernelError("ACTIVATE_TIMEOUT", message, { extension: manifest.id, cause });
    }
  }

  #drainWithGrace({ leases }: Activation): Promise<DrainResult> {
    const { drivers, timeouts } = this.#options;
    return leases.drain({ timeoutMs: timeouts.graceMs, clock: drivers.clock });
  }

  async #closeScope(entry: Entry, activation: Activation): Promise<void> {
    try {
      await activation.close();
    } catch (error) {
      // All releases were called; report the failures and continue.
      const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      for (const failure of failures) {
        this.#options.drivers.log(entry.id).error(errorMessage(failure), { cause: causeMessage(failure) });
        if (KernelError.is(failure)) entry.lastError = failure;
      }
    }
  }

  /** Separate from `#activate`, whose closures would retain the previous generation. */
  #listenersFor(entry: Entry): Pick<ActivationOptions, "onRefusal" | "onUncaught"> {
    const { id } = entry;
    return {
      onRefusal: (error) => {
        this.#refusalsOf(error, entry).note(error);
        entry.damagedRecords.note(error);
      },
      onUncaught: (error) => this.reportUncaught(id, error),
    };
  }

  /** A commit may be refused because of a joined batch of another extension. */
  #refusalsOf(error: unknown, entry: Entry): Refusals {
    return this.#options.entries.find(extensionRefused(error) ?? entry.id)?.refusals ?? entry.refusals;
  }
}

function activateError(extension: string, cause: unknown): KernelError {
  const message = `Cannot start "${extension}": ${errorMessage(cause)}`;
  return new KernelError("ACTIVATE_FAILED", message, { extension, cause });
}

function thrownError(id: string, cause: unknown): KernelError {
  const { code, message, extension } = readKernelError(cause) ?? {};
  if (code === undefined || message === undefined || extension !== id) return activateError(id, cause);
  return new KernelError(code, message, { extension: id, cause });
}
