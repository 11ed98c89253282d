import type { ExtensionHealth, Phase } from "../contract/kernel.ts";

/** An extension can be removed in any phase. */
const arrows: Readonly<Record<Phase, readonly Phase[]>> = {
  waiting: ["starting", "stopped"],
  starting: ["active", "failed"],
  active: ["draining"],
  draining: ["waiting", "starting", "stopped"],
  stopped: ["waiting"],
  failed: ["waiting", "stopped"],
};

export class PhaseWatch {
  readonly #phases = new Map<string, Phase>();
  readonly #onViolation: (what: string) => void;

  constructor(onViolation: (what: string) => void) {
    this.#onViolation = onViolation;
  }

  phaseOf(id: string): Phase | undefined {
    return this.#phases.get(id);
  }

  look(extensions: readonly ExtensionHealth[]): void {
    const seen = new Set<string>();
    for (const { id, phase } of extensions) {
      seen.add(id);
      const before = this.#phases.get(id) ?? "waiting";
      this.#phases.set(id, phase);
      if (phase !== before && !arrows[before].includes(phase)) this.#onViolation(`${id}: ${before} -> ${phase}`);
    }
    for (const id of this.#phases.keys()) if (!seen.has(id)) this.#phases.delete(id);
  }
}
