import type { Place, Successor } from "../services/leases.ts";

interface Generation {
  /** Returns the visible view at a place, or `undefined`. */
  viewAt(place: Place): unknown;
}

/**
 * An unbroken sequence of generations of one extension.
 *
 * Any old view leads directly to the newest generation, so that generations in between can be collected.
 */
export class Succession {
  newest: Generation | undefined;

  readonly successor: Successor = (place) => this.newest?.viewAt(place);
}
