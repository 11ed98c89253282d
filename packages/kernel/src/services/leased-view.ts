import type { Contract } from "../contract/handle.ts";
import { isAsyncIterable, type Leases, type Place, type Successor } from "./leases.ts";

export type Call = (...args: readonly unknown[]) => unknown;

export interface ViewOptions {
  readonly leases: Leases;
  readonly place: Place;
  /** Calls stay in this generation after a swap. */
  readonly isPinned?: boolean;
  readonly members?: Contract["members"];
  readonly instead?: object;
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/**
 * Returns a view with the same members that takes a lease for each call.
 *
 * - A call that returns a promise or an async iterable holds its lease until that ends.
 * - After a swap, calls and reads go to the same place of the new generation.
 * - While calls are held, a call returns an object that is both a promise and an async iterable. The new generation
 * receives held calls first, in call order.
 * - Arguments and results pass unchanged. Only plain data, promises and async iterables should cross, so that an
 * extension can later run in another process.
 */
export function leasedView<Value>(value: Value, options: ViewOptions): Value {
  const { leases, members, instead = {}, fixed = {} } = options;
  if (isCall(value)) {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- same parameters and result as the function
    return leasedCall(value, options) as Value;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const view = {};
  for (const [key, descriptor] of membersOf(value)) {
    if (members !== undefined && (typeof key !== "string" || !Object.hasOwn(members, key))) continue;
    if (Object.hasOwn(fixed, key)) {
      Object.defineProperty(view, key, { value: Reflect.get(fixed, key), enumerable: true });
      continue;
    }
    const owner = Object.hasOwn(instead, key) ? instead : value;
    const member: unknown = owner === value ? descriptor.value : Reflect.get(owner, key);
    if (isCall(member)) {
      const call = leasedCall(member, { ...options, owner, key });
      Object.defineProperty(view, key, { value: call, enumerable: true });
      continue;
    }
    const read = (): unknown => {
      const successor = options.isPinned === true ? undefined : leases.movedTo(options.place);
      if (successor !== undefined) return Reflect.get(Object(successor), key);
      if (descriptor.get !== undefined) leases.admitPinned();
      return Reflect.get(value, key);
    };
    Object.defineProperty(view, key, { get: read, enumerable: true });
  }
  // oxlint-disable-next-line typescript/consistent-type-assertions -- has each member of the value, by construction
  return Object.freeze(view) as Value;
}

interface CallOptions extends ViewOptions {
  readonly owner?: object;
  readonly key?: PropertyKey;
}

function leasedCall(call: Call, { leases, place, isPinned = false, owner, key }: CallOptions): Call {
  const forward = (successor: Successor, args: readonly unknown[]): unknown => {
    const view = successor(place);
    if (view === undefined) throw leases.gone("the new version has no such service or contribution");
    const next: unknown = key === undefined ? view : Reflect.get(Object(view), key);
    if (isCall(next)) return next(...args);
    throw new TypeError(`The generation that came has no "${String(key ?? "function")}" there`);
  };
  const elsewhere = (args: readonly unknown[]): unknown => {
    if (isPinned) leases.admitPinned();
    else if (leases.isHolding) return awaitableItems(leases.wait((came) => forward(came, args)));
    const successor = isPinned ? undefined : leases.admit(place);
    return successor === undefined ? leased(Reflect.apply(call, owner, args), leases) : forward(successor, args);
  };
  return (...args) => (leases.isOpen ? leased(Reflect.apply(call, owner, args), leases) : elsewhere(args));
}

function leased(result: unknown, leases: Leases): unknown {
  if (isPromiseLike(result)) {
    const tracked = leases.track(result);
    return isAsyncIterable(result) ? awaitableItems(tracked) : tracked;
  }
  return isAsyncIterable(result) ? leases.trackItems(result) : result;
}

function awaitableItems(result: Promise<unknown>): Promise<unknown> & AsyncIterable<unknown> {
  result.catch(() => undefined); // The consumer of the iteration receives the error.
  return Object.assign(result, {
    [Symbol.asyncIterator]() {
      const iterator = result.then((items) => {
        if (!isAsyncIterable(items)) throw new TypeError("It returned no iterable");
        return items[Symbol.asyncIterator]();
      });
      iterator.catch(() => undefined);
      return {
        next: async () => (await iterator).next(),
        return: async (value: unknown) =>
          (await (await iterator).return?.(value)) ?? { done: true as const, value },
      };
    },
  });
}

export function isCall(value: unknown): value is Call {
  return typeof value === "function";
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Returns the members of a service: its own first, then inherited ones up to `Object.prototype`. */
export function membersOf(value: object): ReadonlyMap<PropertyKey, PropertyDescriptor> {
  const members = new Map<PropertyKey, PropertyDescriptor>();
  let owner: object | null = value;
  while (owner !== null && owner !== Object.prototype) {
    for (const key of Reflect.ownKeys(owner)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(owner, key);
      if (key !== "constructor" && descriptor !== undefined && !members.has(key)) members.set(key, descriptor);
    }
    owner = Reflect.getPrototypeOf(owner);
  }
  return members;
}
