import type { Caller } from "../contract/caller.ts";
import type { Clock } from "../time/clock.ts";
import type { ContractId } from "../contract/handle.ts";
import { createDeferred, type Deferred } from "../time/deferred.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { LeasedIteration } from "./leased-iteration.ts";
import { DeadlineError, withDeadline } from "../time/with-deadline.ts";

/** Where a view stands in what its extension has put forward; the next generation may have its own at the same place. */
export type Place =
  | { readonly kind: "service"; readonly id: ContractId; readonly caller?: Caller }
  | { readonly kind: "contribution"; readonly point: ContractId; readonly key: string };

/** The view at a place of the generation that came; `undefined`: it has none there. */
export type Successor = (place: Place) => unknown;

/** One call or iteration that has begun and not ended. */
export interface Lease {
  /** Ends it for its caller; the extension's own work may go on unseen. */
  readonly cut: (error: KernelError) => void;
  /** Where it is in the list of those in flight; -1 once it has ended. */
  at: number;
}

interface HeldCall {
  readonly run: (successor: Successor) => void;
  readonly reject: (error: KernelError) => void;
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
  /** Ends the waiting before the deadline, with what is in flight still there. */
  readonly signal?: AbortSignal;
}

/** The calls into one generation of an extension, from their start until their promise or their iteration has ended. */
export class Leases {
  readonly #extension: string;
  /** A list, and each lease knows its place in it: a call costs less than half of what it does with a set. */
  readonly #inFlight: Lease[] = [];
  #successor: Successor | undefined;
  #held: HeldCall[] | undefined;
  #isRefusing = false;
  #isOpen = true;
  #idle: Deferred | undefined;
  #ended = 0;
  #endedBefore: number | undefined;
  #cutCount = 0;

  /** What settles the promise that was made last. */
  #resolve: (value: unknown) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  /** One executor for all calls: one for each costs a tenth of the call. What it takes is to be read right behind `new Promise`. */
  readonly #take = (resolve: (value: unknown) => void, reject: (error: unknown) => void): void => {
    this.#resolve = resolve;
    this.#reject = reject;
  };

  constructor(extension: string) {
    this.#extension = extension;
  }

  /** Calls go into this generation, with nothing further to ask: the usual case, on the path of every call. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get size(): number {
    return this.#inFlight.length;
  }

  /** Calls have to wait for who comes. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Where a call has to go.
   * @returns `undefined`: into this generation; else to who came.
   * @throws {KernelError} `GENERATION_GONE`.
   */
  admit(place: Place): Successor | undefined {
    if (this.#successor?.(place) !== undefined) return this.#successor;
    this.admitPinned();
    return undefined;
  }

  /** The view of who came at a place; `undefined`: nobody came, or has nothing there. */
  movedTo(place: Place): unknown {
    return this.#successor?.(place);
  }

  /** For who wants this generation and no other. @throws {KernelError} `GENERATION_GONE`. */
  admitPinned(): void {
    if (this.#isRefusing) throw this.gone("it was unloaded or swapped; take the service from its reference again");
  }

  gone(why: string): KernelError {
    const extension = this.#extension;
    return new KernelError("GENERATION_GONE", `Cannot go on in this generation of "${extension}": ${why}`, {
      extension,
    });
  }

  /** From here on new calls wait for who comes; those in flight go on. */
  hold(): void {
    this.#isOpen = false;
    this.#held = [];
  }

  /** Calls when somebody has come. @throws {KernelError} what `abandon` was given, when nobody does. */
  wait(call: (successor: Successor) => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const run = (successor: Successor): void => {
        try {
          resolve(call(successor));
        } catch (error) {
          reject(error);
        }
      };
      this.#held?.push({ run, reject });
    });
  }

  /** New calls go to who came, as far as it has the same place; before them, in the same step, those that waited, in their order. */
  move(successor: Successor): void {
    const held = this.#held ?? [];
    this.#isOpen = false;
    this.#held = undefined;
    this.#successor = successor;
    for (const { run } of held) run(successor);
  }

  /** Nobody came: who waited is told why, and new calls are refused. */
  abandon(error: KernelError): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.refuse();
    for (const { reject } of held) reject(error);
  }

  /** New calls are refused, where nobody came. */
  refuse(): void {
    this.#isOpen = false;
    this.#isRefusing = true;
  }

  begin(lease: Lease): Lease {
    lease.at = this.#inFlight.length;
    this.#inFlight.push(lease);
    return lease;
  }

  /** At most once for each lease, whoever says it. */
  end(lease: Lease): void {
    if (!this.#remove(lease)) return;
    this.#ended += 1;
    if (this.#inFlight.length === 0) this.#idle?.resolve();
  }

  /** The same result for the caller, counted until it settles. */
  track(work: PromiseLike<unknown>): Promise<unknown> {
    const promise = new Promise(this.#take);
    const resolve = this.#resolve;
    const reject = this.#reject;
    const lease = this.begin({ at: -1, cut: reject });
    const ended = (result: unknown): void => {
      if (lease.at === -1) return; // It was cut: nobody looks any more.
      if (isAsyncIterable(result)) {
        // The iteration begins before the call ends: there is no moment without a lease in between.
        resolve(this.trackItems(result));
        this.#remove(lease);
        return;
      }
      resolve(result);
      this.end(lease);
    };
    const failed = (error: unknown): void => {
      reject(error);
      this.end(lease);
    };
    // What only looks like a promise may throw here, or call back twice.
    if (work instanceof Promise) work.then(ended, failed);
    else Promise.resolve(work).then(ended, failed);
    return promise;
  }

  /** The same items for the caller, counted until the iteration ends; the first one before it has begun. */
  trackItems<Item>(items: AsyncIterable<Item>): AsyncIterable<Item> {
    let first: LeasedIteration<Item> | undefined = new LeasedIteration(items, this);
    return {
      [Symbol.asyncIterator]: () => {
        if (first === undefined) this.admitPinned();
        const iteration = first ?? new LeasedIteration(items, this);
        first = undefined;
        return iteration.start();
      },
    };
  }

  /**
   * Waits until nothing is in flight, then refuses; at the deadline, what is left is cut.
   * @returns all that came to an end since the first `drain`.
   */
  async drain({ timeoutMs, clock, signal }: DrainOptions): Promise<DrainResult> {
    this.#endedBefore ??= this.#ended;
    try {
      if (this.size > 0 && timeoutMs > 0) await withDeadline(() => this.#untilIdle(signal), { timeoutMs, clock });
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
    }
    this.refuse();
    if (signal?.aborted !== true) this.#cut();
    return { drained: this.#ended - this.#endedBefore, cut: this.#cutCount };
  }

  async #untilIdle(signal?: AbortSignal): Promise<void> {
    // A call may come in between the last one's end and the moment in which that is seen.
    while (this.size > 0 && signal?.aborted !== true) {
      this.#idle ??= createDeferred();
      const { promise, resolve } = this.#idle;
      const stop = (): void => resolve();
      signal?.addEventListener("abort", stop, { once: true });
      await promise;
      signal?.removeEventListener("abort", stop);
      this.#idle = undefined;
    }
    this.refuse(); // In the same step: what came in behind it would be cut without having had its time.
  }

  #cut(): void {
    const error = this.gone("it did not end before the deadline of its unload or swap");
    for (const lease of this.#inFlight.splice(0)) {
      lease.at = -1;
      this.#cutCount += 1;
      lease.cut(error);
    }
  }

  #remove(lease: Lease): boolean {
    const { at } = lease;
    if (at === -1) return false;
    lease.at = -1;
    const last = this.#inFlight.pop();
    if (last !== undefined && last !== lease) {
      this.#inFlight[at] = last;
      last.at = at;
    }
    return true;
  }
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
