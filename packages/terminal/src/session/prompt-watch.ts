import { routes, type Client } from "@incipit/transport-contract";
import { PrefixWatch, type BrokenPrefix } from "./broken-prefix.ts";

export interface PromptWatchOptions {
  readonly client: Client;
  readonly id: string;
  /** Whether the conversation was left, so that nothing more is reported. */
  readonly isLeft: () => boolean;
  /** Whether a turn runs; prompts are compared only between turns. */
  readonly isRunning: () => boolean;
  readonly onChange: () => void;
}

/** Watches a conversation for cache breaks and prompt drift. */
export class PromptWatch {
  readonly #options: PromptWatchOptions;
  readonly #prefixes: PrefixWatch;
  #broken: BrokenPrefix | undefined;
  #drift: readonly string[] = [];

  constructor(options: PromptWatchOptions) {
    this.#options = options;
    this.#prefixes = new PrefixWatch(options.client, options.id);
  }

  /** The newest call with a broken prefix. */
  get broken(): BrokenPrefix | undefined {
    return this.#broken;
  }

  /** Names of prompt parts that have changed since, such as `file:AGENTS.md`. */
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
