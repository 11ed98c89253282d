import { isCall, membersOf, type Call } from "./leased-view.ts";
import { isAsyncIterable } from "./leases.ts";

/**
 * Views, methods and iterations fail once `assertHeld` throws, even for code that keeps a reference. One frozen
 * wrapper per view; views of the host's own services are not wrapped.
 */
export class GuardedViews {
  readonly #assertHeld: () => void;
  readonly #views = new WeakMap<object, object>();

  constructor(assertHeld: () => void) {
    this.#assertHeld = assertHeld;
  }

  /**
   * Returns data unchanged.
   *
   * @throws as `assertHeld`.
   */
  of(view: unknown): unknown {
    this.#assertHeld();
    if (isCall(view)) return this.#known(view, () => this.#call(view));
    if (typeof view !== "object" || view === null || Array.isArray(view)) return view;
    return this.#known(view, () => this.#members(view));
  }

  #known(view: object, make: () => object): object {
    const known = this.#views.get(view) ?? make();
    this.#views.set(view, known);
    return known;
  }

  #members(view: object): object {
    const held = {};
    for (const [key, descriptor] of membersOf(view)) {
      const own: unknown = descriptor.value;
      const read = (): unknown => {
        this.#assertHeld();
        return Reflect.get(view, key);
      };
      const member = isCall(own) ? { value: this.#call(own, view) } : { get: read };
      Object.defineProperty(held, key, { ...member, enumerable: true });
    }
    return Object.freeze(held);
  }

  #call(call: Call, owner?: object): Call {
    return (...args) => {
      this.#assertHeld();
      return this.#result(Reflect.apply(call, owner, args));
    };
  }

  #result(result: unknown): unknown {
    if (result instanceof Promise) {
      const settled = result.then((value: unknown) => this.#result(value));
      return isAsyncIterable(result) ? Object.assign(settled, this.#items(result)) : settled;
    }
    return isAsyncIterable(result) ? this.#items(result) : result;
  }

  #items(items: AsyncIterable<unknown>): AsyncIterable<unknown> {
    return {
      [Symbol.asyncIterator]: () => {
        this.#assertHeld();
        const iterator = items[Symbol.asyncIterator]();
        return {
          next: async () => {
            this.#assertHeld();
            const item = await iterator.next();
            this.#assertHeld();
            return item;
          },
          return: async (value: unknown) => (await iterator.return?.(value)) ?? { done: true as const, value },
        };
      },
    };
  }
}
