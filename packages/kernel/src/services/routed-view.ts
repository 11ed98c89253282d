import type { Contract } from "../contract/handle.ts";
import { isCall, type Call } from "./leased-view.ts";

export interface RoutedViewOptions<Service extends object> {
  readonly members: Contract["members"];
  /** Selects the service by the first argument and calls it synchronously. */
  readonly route: (about: unknown, call: (service: Service) => unknown) => unknown;
  /** Not routed. */
  readonly instead: Partial<Service>;
}

/**
 * Returns a service that routes each method call by its first argument, for work that moves gradually from one
 * generation to the next.
 */
export function routedView<Service extends object>({
  members,
  route,
  instead,
}: RoutedViewOptions<Service>): Service {
  const view = {};
  for (const [name, kind] of Object.entries(members ?? {})) {
    if (Object.hasOwn(instead, name)) continue;
    if (kind !== "function") throw new TypeError(`"${name}" is not a method: describe it in \`instead\``);
    const call: Call = (...args) =>
      route(args[0], (service) => {
        const method: unknown = Reflect.get(service, name);
        if (!isCall(method)) throw new TypeError(`The generation that has it has no "${name}"`);
        return Reflect.apply(method, service, args);
      });
    Object.defineProperty(view, name, { value: call, enumerable: true });
  }
  // oxlint-disable-next-line typescript/consistent-type-assertions -- has each member of the contract, by construction
  return Object.freeze(Object.assign(view, instead)) as Service;
}
