import type { Place, Successor } from "../services/leases.ts";

interface Generation {
  viewAt(place: Place): unknown;
}

/**
 * Any old view of an extension leads directly to the newest generation, so that generations in between can be
 * collected.
 */
export class Succession {
  newest: Generation | undefined;

  readonly successor: Successor = (place) => this.newest?.viewAt(place);
}
