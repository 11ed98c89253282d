import { routes, type Client } from "@incipit/transport-contract";
import { PrefixWatch, type BrokenPrefix } from "./broken-prefix.ts";

export interface PromptWatchOptions {
  readonly client: Client;
  /** The conversation's. */
  readonly id: string;
  /** Somebody has left the conversation: nothing of it is told any more. */
  readonly isLeft: () => boolean;
  /** A prompt is not compared while a turn runs. */
  readonly isRunning: () => boolean;
  readonly onChange: () => void;
}

/** Whether the model of one conversation is told what it was told before, and would be told today. */
export class PromptWatch {
  readonly #options: PromptWatchOptions;
  readonly #prefixes: PrefixWatch;
  #broken: BrokenPrefix | undefined;
  #drift: readonly string[] = [];

  constructor(options: PromptWatchOptions) {
    this.#options = options;
    this.#prefixes = new PrefixWatch(options.client, options.id);
  }

  /** The newest call that did not begin as the one before. */
  get broken(): BrokenPrefix | undefined {
    return this.#broken;
  }

  /** What would make a prompt of today another one, such as `file:AGENTS.md`. */
  get drift(): readonly string[] {
    return this.#drift;
  }

  /** Looks at the calls of a turn that has ended. */
  async lookAt(turnId: string): Promise<void> {
    const broken = await this.#prefixes.brokenIn(turnId);
    if (this.#options.isLeft()) return;
    this.#broken = broken;
    this.#options.onChange();
    await this.lookForDrift();
  }

  /** Looks again at what would make the prompt another one. */
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
