import type { Clock } from "./clock.ts";
import type { ContractId } from "./handle.ts";
import { KernelError } from "./kernel-error.ts";
import { DeadlineError, withDeadline } from "./with-deadline.ts";

/** Where a view stands in what its extension has put forward; the next generation may have its own at the same place. */
export type Place =
  | { readonly kind: "service"; readonly id: ContractId }
  | { readonly kind: "contribution"; readonly point: ContractId; readonly key: string };

/** The view at a place of the generation that came; `undefined`: it has none there. */
export type Successor = (place: Place) => unknown;

interface Lease {
  /** Ends it for its caller; the extension's own work may go on unseen. */
  cut(error: KernelError): void;
}

export interface DrainResult {
  /** Calls that ended by themselves. */
  readonly drained: number;
  /** Calls that did not, and were ended for their callers. */
  readonly cut: number;
}

export interface DrainOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Ends the waiting before the deadline. */
  readonly signal?: AbortSignal;
}

/** The calls into one generation of an extension, from their start until their promise or their iteration has ended. */
export class Leases {
  readonly #extension: string;
  readonly #inFlight = new Set<Lease>();
  #successor: Successor | undefined;
  #held: Promise<Successor> | undefined;
  #isRefusing = false;
  #idle: PromiseWithResolvers<void> | undefined;
  #ended = 0;

  constructor(extension: string) {
    this.#extension = extension;
  }

  get size(): number {
    return this.#inFlight.size;
  }

  /**
   * Where a call has to go.
   * @returns `undefined`: into this generation; else to who came, or has to come first.
   * @throws {KernelError} `GENERATION_GONE`.
   */
  admit(place: Place): Successor | Promise<Successor> | undefined {
    if (this.#held !== undefined) return this.#held;
    if (this.#successor?.(place) !== undefined) return this.#successor;
    this.admitPinned();
    return undefined;
  }

  /** For who wants this generation and no other. @throws {KernelError} `GENERATION_GONE`. */
  admitPinned(): void {
    if (this.#isRefusing) throw this.#gone("it was unloaded or swapped; take the service from its reference again");
  }

  /** New calls wait for who comes; those in flight go on. */
  hold(successor: Promise<Successor>): void {
    this.#held = successor;
    successor.catch(() => undefined); // Whoever waits hears of it; perhaps nobody does.
  }

  /** New calls go to who came, as far as it has the same place. */
  move(successor: Successor): void {
    this.#held = undefined;
    this.#successor = successor;
  }

  /** New calls are refused, where nobody came. */
  refuse(): void {
    this.#isRefusing = true;
  }

  /** The same promise for the caller, counted until it settles. */
  track<Result>(work: PromiseLike<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const lease: Lease = { cut: reject };
      this.#inFlight.add(lease);
      work.then(
        (result) => {
          // An iteration begins before the call ends: there is no moment without a lease in between.
          // oxlint-disable-next-line typescript/consistent-type-assertions -- the same items, counted
          resolve(isAsyncIterable(result) ? (this.trackItems(result) as Result) : result);
          this.#end(lease);
        },
        (error: unknown) => {
          reject(error);
          this.#end(lease);
        },
      );
    });
  }

  /** The same items for the caller, counted until the first iteration ends. */
  trackItems<Item>(items: AsyncIterable<Item>): AsyncIterable<Item> {
    const waiting = new Set<(error: KernelError) => void>();
    let iterator: AsyncIterator<Item> | undefined;
    let cutWith: KernelError | undefined;
    const lease: Lease = {
      cut: (error) => {
        cutWith = error;
        for (const reject of waiting) reject(error);
        iterator?.return?.()?.catch(() => undefined); // What it was doing ends as it can: nobody looks any more.
      },
    };
    this.#inFlight.add(lease);
    const step = (run: () => Promise<IteratorResult<Item>>): Promise<IteratorResult<Item>> =>
      new Promise((resolve, reject) => {
        if (cutWith !== undefined) {
          reject(cutWith);
          return;
        }
        waiting.add(reject);
        run().then(
          (result) => {
            waiting.delete(reject);
            if (result.done === true) this.#end(lease);
            resolve(result);
          },
          (error: unknown) => {
            waiting.delete(reject);
            this.#end(lease);
            reject(error);
          },
        );
      });
    return {
      [Symbol.asyncIterator]: () => {
        // A second iteration of one iterable is rare, and is not counted for itself.
        const own = items[Symbol.asyncIterator]();
        iterator ??= own;
        return {
          next: () => step(async () => own.next()),
          return: (value) => step(async () => (await own.return?.(value)) ?? { done: true, value }),
        };
      },
    };
  }

  /** Waits until nothing is in flight, then refuses; at the deadline, what is left is cut. */
  async drain({ timeoutMs, clock, signal }: DrainOptions): Promise<DrainResult> {
    const endedBefore = this.#ended;
    try {
      if (this.#inFlight.size > 0 && timeoutMs > 0)
        await withDeadline(() => this.#untilIdle(signal), { timeoutMs, clock });
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
    }
    this.refuse();
    const drained = this.#ended - endedBefore;
    return { drained, cut: this.#cut() };
  }

  async #untilIdle(signal?: AbortSignal): Promise<void> {
    // A call may come in between the last one's end and the moment in which that is seen.
    while (this.#inFlight.size > 0 && signal?.aborted !== true) {
      this.#idle ??= Promise.withResolvers();
      const { promise, resolve } = this.#idle;
      const stop = (): void => resolve();
      signal?.addEventListener("abort", stop, { once: true });
      await promise;
      signal?.removeEventListener("abort", stop);
      this.#idle = undefined;
    }
  }

  #cut(): number {
    const cut = [...this.#inFlight];
    this.#inFlight.clear();
    for (const lease of cut) lease.cut(this.#gone("it did not end before the deadline of its unload or swap"));
    return cut.length;
  }

  #end(lease: Lease): void {
    if (!this.#inFlight.delete(lease)) return;
    this.#ended += 1;
    if (this.#inFlight.size === 0) this.#idle?.resolve();
  }

  #gone(why: string): KernelError {
    const extension = this.#extension;
    return new KernelError("GENERATION_GONE", `Cannot go on in this generation of "${extension}": ${why}`, {
      extension,
    });
  }
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
