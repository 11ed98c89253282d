import type { Clock } from "./clock.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { withDeadline } from "./with-deadline.ts";

export type Release = () => void | PromiseLike<void>;

export interface ScopeOptions {
  /** Extension id, such as `acme.weather`. */
  readonly owner: string;
  /** Timeout of one release; a late release is reported and abandoned. */
  readonly releaseTimeoutMs: number;
  readonly clock: Clock;
}

/**
 * Holds the resources that one activation opened, and releases them when the activation ends.
 *
 * - Last in, first out, one at a time: later resources may depend on earlier ones.
 * - Calls every release exactly once, even if another throws or is late.
 * - Aborts `signal` before the first release, so that work in flight can end.
 *
 * Replaces `AsyncDisposableStack`, which has no timeout and no labels.
 */
export class Scope implements AsyncDisposable {
  readonly #options: ScopeOptions;
  readonly #held: { readonly label: string; readonly release: Release }[] = [];
  readonly #controller = new AbortController();
  readonly signal: AbortSignal = this.#controller.signal;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: ScopeOptions) {
    this.#options = options;
  }

  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** Whether the scope is closed, so that its owner may no longer use the host. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws {KernelError} `SCOPE_CLOSED` once closing has begun; `release` is then never called. */
  defer(label: string, release: Release): void {
    if (this.#closing !== undefined) {
      const extension = this.#options.owner;
      const message = `Cannot keep "${label}" for "${extension}": its scope is closed; keep it before unload`;
      throw new KernelError("SCOPE_CLOSED", message, { extension });
    }
    this.#held.push({ label, release });
  }

  /** @throws {KernelError} `SCOPE_CLOSED`. */
  use<Resource extends AsyncDisposable | Disposable>(label: string, resource: Resource): Resource {
    this.defer(label, async () => {
      if (Symbol.asyncDispose in resource) await resource[Symbol.asyncDispose]();
      else resource[Symbol.dispose]();
    });
    return resource;
  }

  /** @throws {AggregateError} after all releases, with one `RELEASE_FAILED` for each that threw or was late. */
  close(): Promise<void> {
    return (this.#closing ??= this.#releaseAll());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #releaseAll(): Promise<void> {
    await Promise.resolve(); // An abort listener may call close(), so `#closing` must be set first.
    this.#controller.abort();
    const { owner: extension, releaseTimeoutMs: timeoutMs, clock } = this.#options;
    const failures: KernelError[] = [];
    for (let entry = this.#held.pop(); entry !== undefined; entry = this.#held.pop()) {
      try {
        await withDeadline(entry.release, { timeoutMs, clock });
      } catch (cause) {
        const message = `Cannot release "${entry.label}" of "${extension}"`;
        failures.push(new KernelError("RELEASE_FAILED", message, { extension, cause }));
      }
    }
    this.#isClosed = true;
    if (failures.length > 0) throw new AggregateError(failures, `Cannot close the scope of "${extension}"`);
  }
}
