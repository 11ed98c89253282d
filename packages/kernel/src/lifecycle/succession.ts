import type { Place, Successor } from "../services/leases.ts";

interface Generation {
  /** What others see at a place; `undefined`: nothing is there. */
  viewAt(place: Place): unknown;
}

/**
 * The generations of an extension that followed one another without a break.
 *
 * What somebody kept of any of them leads to the newest in one step, and keeps no generation in between from being
 * collected.
 */
export class Succession {
  newest: Generation | undefined;

  readonly successor: Successor = (place) => this.newest?.viewAt(place);
}
