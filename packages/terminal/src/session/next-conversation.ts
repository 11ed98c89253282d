import type { Conversation } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

/** What a conversation begins with. */
export interface Beginning {
  /** Its working folder; absolute. */
  readonly cwd: string;
  /** PROVIDER/MODEL; absent: the host's own. */
  readonly model?: string;
  readonly profile?: string;
}

/** The conversation that the first message begins. */
export class NextConversation {
  readonly #client: Client;
  #beginning: Beginning;
  #creating: Promise<Conversation> | undefined;

  constructor(client: Client, beginning: Beginning) {
    this.#client = client;
    this.#beginning = beginning;
  }

  get beginning(): Beginning {
    return this.#beginning;
  }

  change(change: Partial<Beginning>): void {
    this.#beginning = { ...this.#beginning, ...change };
  }

  withoutProfile(): void {
    const { profile: _, ...others } = this.#beginning;
    this.#beginning = others;
  }

  /** Begins it, once for all who ask meanwhile. `isWanted`: nobody has left it since. */
  async begin(): Promise<{ readonly conversation: Conversation; readonly isWanted: boolean }> {
    this.#creating ??= this.#client
      .call(routes.createConversation, { body: this.#beginning })
      .then(({ conversation }) => conversation);
    const creating = this.#creating;
    try {
      const conversation = await creating;
      return { conversation, isWanted: this.#creating === creating };
    } catch (error) {
      this.#creating = undefined;
      throw error;
    }
  }

  /** Another one begins with the next message. */
  leave(): void {
    this.#creating = undefined;
  }
}
