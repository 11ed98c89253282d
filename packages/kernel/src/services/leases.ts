import type { Caller } from "../contract/caller.ts";
import type { Clock } from "../time/clock.ts";
import type { ContractId } from "../contract/handle.ts";
import { createDeferred, type Deferred } from "../time/deferred.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { LeasedIteration } from "./leased-iteration.ts";
import { DeadlineError, withDeadline } from "../time/with-deadline.ts";

/** The next generation may have a view at the same place. */
export type Place =
  | { readonly kind: "service"; readonly id: ContractId; readonly caller?: Caller }
  | { readonly kind: "contribution"; readonly point: ContractId; readonly key: string };

export type Successor = (place: Place) => unknown;

export interface Lease {
  /** Ends the lease for its caller; the extension's work may continue. */
  readonly cut: (error: KernelError) => void;
  /** Index in the list of running leases; -1 after the end. */
  at: number;
}

interface HeldCall {
  readonly run: (successor: Successor) => void;
  readonly reject: (error: KernelError) => void;
}

export interface DrainResult {
  readonly drained: number;
  readonly cut: number;
}

export interface DrainOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Ends the wait early without cutting running calls. */
  readonly signal?: AbortSignal;
}

/** Tracks the calls into one generation, until their promises or iterations end. */
export class Leases {
  readonly #extension: string;
  /** Less than half the cost per call of a Set. */
  readonly #inFlight: Lease[] = [];
  #successor: Successor | undefined;
  #held: HeldCall[] | undefined;
  #isRefusing = false;
  #isOpen = true;
  #idle: Deferred | undefined;
  #ended = 0;
  #endedBefore: number | undefined;
  #cutCount = 0;

  #resolve: (value: unknown) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  /** A closure per call costs a tenth of the call. Read the resolvers directly after `new Promise`. */
  readonly #take = (resolve: (value: unknown) => void, reject: (error: unknown) => void): void => {
    this.#resolve = resolve;
    this.#reject = reject;
  };

  constructor(extension: string) {
    this.#extension = extension;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get size(): number {
    return this.#inFlight.length;
  }

  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Returns the successor, or `undefined` for this generation.
   *
   * @throws {KernelError} `GENERATION_GONE`.
   */
  admit(place: Place): Successor | undefined {
    if (this.#successor?.(place) !== undefined) return this.#successor;
    this.admitPinned();
    return undefined;
  }

  movedTo(place: Place): unknown {
    return this.#successor?.(place);
  }

  /**
   * The call stays in this generation.
   *
   * @throws {KernelError} `GENERATION_GONE`.
   */
  admitPinned(): void {
    if (this.#isRefusing) throw this.gone("it was unloaded or swapped; get the service from its reference again");
  }

  gone(why: string): KernelError {
    const extension = this.#extension;
    return new KernelError("GENERATION_GONE", `Cannot continue in this generation of "${extension}": ${why}`, {
      extension,
    });
  }

  hold(): void {
    this.#isOpen = false;
    this.#held = [];
  }

  /**
   * Until `move`.
   *
   * @throws {KernelError} the error of `abandon` when no generation follows.
   */
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

  /** Routes new calls to the successor where it has the same place, after queued calls, synchronously and in order. */
  move(successor: Successor): void {
    const held = this.#held ?? [];
    this.#isOpen = false;
    this.#held = undefined;
    this.#successor = successor;
    for (const { run } of held) run(successor);
  }

  abandon(error: KernelError): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.refuse();
    for (const { reject } of held) reject(error);
  }

  refuse(): void {
    this.#isOpen = false;
    this.#isRefusing = true;
  }

  begin(lease: Lease): Lease {
    lease.at = this.#inFlight.length;
    this.#inFlight.push(lease);
    return lease;
  }

  /** Idempotent. */
  end(lease: Lease): void {
    if (!this.#remove(lease)) return;
    this.#ended += 1;
    if (this.#inFlight.length === 0) this.#idle?.resolve();
  }

  /** Holds a lease until the promise settles. */
  track(work: PromiseLike<unknown>): Promise<unknown> {
    const promise = new Promise(this.#take);
    const resolve = this.#resolve;
    const reject = this.#reject;
    const lease = this.begin({ at: -1, cut: reject });
    const ended = (result: unknown): void => {
      if (lease.at === -1) return;
      if (isAsyncIterable(result)) {
        // Start the iteration's lease before the call's ends, without a gap.
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
    // A thenable may throw here, or call back twice.
    if (work instanceof Promise) work.then(ended, failed);
    else Promise.resolve(work).then(ended, failed);
    return promise;
  }

  /** The first iteration holds its lease before it starts. */
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
   * Waits for running calls, then refuses new ones; cuts the remaining calls at the deadline. Counts since the first
   * `drain`.
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
    // A call may enter between the last one's end and this continuation.
    while (this.size > 0 && signal?.aborted !== true) {
      this.#idle ??= createDeferred();
      const { promise, resolve } = this.#idle;
      const stop = (): void => resolve();
      signal?.addEventListener("abort", stop, { once: true });
      await promise;
      signal?.removeEventListener("abort", stop);
      this.#idle = undefined;
    }
    this.refuse(); // In the same tick: a call admitted after it would be cut early.
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
