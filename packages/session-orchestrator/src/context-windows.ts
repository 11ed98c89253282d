import { KernelError, type Log } from "@incipit/kernel";
import type { FoundModel } from "./models.ts";

/** How much the models take in one call, as far as their providers know. */
export class ContextWindows {
  readonly #log: Log;
  readonly #unknown = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** In tokens; `undefined`: not known, which is said once. */
  async of({ provider, name }: FoundModel): Promise<number | undefined> {
    try {
      const window = await provider.contextWindow?.(name);
      if (window === undefined) this.#sayOnce(`${provider.id}/${name}`);
      return window;
    } catch (error) {
      if (KernelError.is(error)) return undefined; // Swapped out at this moment: asked again before the next step.
      throw error;
    }
  }

  #sayOnce(model: string): void {
    if (this.#unknown.has(model)) return;
    this.#unknown.add(model);
    const key = `providers.${model.slice(0, model.indexOf("/"))}.context_window`;
    this.#log.info(
      `The context window of "${model}" is not known: conversations are not compacted by themselves; set ${key}`,
    );
  }
}
