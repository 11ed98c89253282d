import type { KernelError } from "../failures/kernel-error.ts";
import type { Lease, Leases } from "./leases.ts";

interface Waiting<Item> {
  readonly resolve: (result: IteratorResult<Item>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The lease ends on completion, on an error, or when the consumer leaves. A cut iteration throws once, then is done;
 * its source is closed with `return()` and not used after the end.
 */
export class LeasedIteration<Item> {
  readonly #items: AsyncIterable<Item>;
  readonly #leases: Leases;
  readonly #lease: Lease;
  readonly #waiting = new Set<Waiting<Item>>();
  #source: AsyncIterator<Item> | undefined;
  #untold: KernelError | undefined;
  #isOver = false;

  constructor(items: AsyncIterable<Item>, leases: Leases) {
    this.#items = items;
    this.#leases = leases;
    this.#lease = leases.begin({ at: -1, cut: (error) => this.#cut(error) });
  }

  start(): AsyncIterator<Item> {
    try {
      if (!this.#isOver) this.#source = this.#items[Symbol.asyncIterator]();
    } catch (error) {
      this.#end();
      throw error;
    }
    return { next: () => this.#next(), return: (value: unknown) => this.#return(value) };
  }

  async #next(): Promise<IteratorResult<Item>> {
    const untold = this.#untold;
    this.#untold = undefined;
    if (untold !== undefined) throw untold;
    const source = this.#source;
    if (this.#isOver || source === undefined) return { done: true, value: undefined };
    return this.#step(async () => {
      const result = await source.next();
      if (result.done === true) this.#end();
      return result;
    });
  }

  async #return(value: unknown): Promise<IteratorResult<Item>> {
    this.#untold = undefined; // The consumer leaves, so the error is dropped.
    const source = this.#source;
    if (this.#isOver || source === undefined) return { done: true, value };
    return this.#step(async () => {
      const result = (await source.return?.(value)) ?? { done: true, value };
      this.#end();
      return result;
    });
  }

  #step(run: () => Promise<IteratorResult<Item>>): Promise<IteratorResult<Item>> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject };
      this.#waiting.add(waiting);
      run().then(
        (result) => {
          this.#waiting.delete(waiting);
          resolve(result);
        },
        (error: unknown) => {
          this.#waiting.delete(waiting);
          this.#end();
          reject(error);
        },
      );
    });
  }

  #cut(error: KernelError): void {
    this.#isOver = true;
    const [first, ...others] = this.#waiting;
    this.#waiting.clear();
    if (first === undefined) this.#untold = error;
    first?.reject(error);
    for (const { resolve } of others) resolve({ done: true, value: undefined });
    const leave = async (): Promise<unknown> => this.#source?.return?.();
    leave().catch(() => undefined); // The source's errors are ignored after a cut.
  }

  #end(): void {
    this.#isOver = true;
    this.#leases.end(this.#lease);
  }
}
