import { routes, type Client } from "@incipit/transport-contract";
import { CacheBreakWatch, type BrokenPrefix } from "./cache-break.ts";

export interface PromptWatchOptions {
  readonly client: Client;
  readonly id: string;
  readonly isLeft: () => boolean;
  /** Prompts are compared only between turns. */
  readonly isRunning: () => boolean;
  readonly onChange: () => void;
}

export class PromptWatch {
  readonly #options: PromptWatchOptions;
  readonly #prefixes: CacheBreakWatch;
  #broken: BrokenPrefix | undefined;
  #drift: readonly string[] = [];

  constructor(options: PromptWatchOptions) {
    this.#options = options;
    this.#prefixes = new CacheBreakWatch(options.client, options.id);
  }

  get broken(): BrokenPrefix | undefined {
    return this.#broken;
  }

  get drift(): readonly string[] {
    return this.#drift;
  }

  async lookAt(turnId: string): Promise<void> {
    const broken = await this.#prefixes.brokenIn(turnId);
    if (this.#options.isLeft()) return;
    this.#broken = broken;
    this.#options.onChange();
    await this.lookForDrift();
  }

  async lookForDrift(): Promise<void> {
    const { client, id, isRunning, isLeft, onChange } = this.#options;
    if (isLeft() || isRunning()) return;
    const { drift } = await client.call(routes.getDrift, { params: { id } });
    const names =
      drift === null || drift.isSame ? [] : drift.hunks.flatMap(({ causes }) => causes.map(({ name }) => name));
    if (isLeft()) return;
    this.#drift = [...new Set(names)];
    onChange();
  }
}
