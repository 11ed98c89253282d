import type { Conversation, ReasoningEffort } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

export interface Beginning {
  readonly cwd: string;
  /** The host's default if absent. */
  readonly model?: string | undefined;
  readonly profile?: string | undefined;
  /** The default of the agent or provider if absent. */
  readonly effort?: ReasoningEffort | undefined;
}

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

  /** `isWanted` is `false` after `leave()`. */
  async begin(): Promise<{ readonly conversation: Conversation; readonly isWanted: boolean }> {
    this.#creating ??= this.#create();
    const creating = this.#creating;
    try {
      const conversation = await creating;
      return { conversation, isWanted: this.#creating === creating };
    } catch (error) {
      this.#creating = undefined;
      throw error;
    }
  }

  /** Keeps the agent's other settings. */
  async #create(): Promise<Conversation> {
    const { effort, ...body } = this.#beginning;
    const { conversation } = await this.#client.call(routes.createConversation, { body });
    if (effort === undefined) return conversation;
    const change = { settings: { ...conversation.settings, reasoningEffort: effort } };
    const params = { id: conversation.id };
    return (await this.#client.call(routes.updateConversation, { params, body: change })).conversation;
  }

  /** Leaves the conversation; the next message creates another one. */
  leave(): void {
    this.#creating = undefined;
  }
}
