import type { Conversation, ReasoningEffort } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

/** What a conversation begins with. */
export interface Beginning {
  /** Its working folder; absolute. */
  readonly cwd: string;
  /** PROVIDER/MODEL; absent: the host's own. */
  readonly model?: string;
  readonly profile?: string;
  /** Absent: as the agent and the vendor have it. */
  readonly effort?: ReasoningEffort;
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

  withoutEffort(): void {
    const { effort: _, ...others } = this.#beginning;
    this.#beginning = others;
  }

  withoutProfile(): void {
    const { profile: _, ...others } = this.#beginning;
    this.#beginning = others;
  }

  /** Begins it, once for all who ask meanwhile. `isWanted`: nobody has left it since. */
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

  /** The effort is laid over what the agent asks for beside it. */
  async #create(): Promise<Conversation> {
    const { effort, ...body } = this.#beginning;
    const { conversation } = await this.#client.call(routes.createConversation, { body });
    if (effort === undefined) return conversation;
    const change = { settings: { ...conversation.settings, reasoningEffort: effort } };
    const params = { id: conversation.id };
    return (await this.#client.call(routes.updateConversation, { params, body: change })).conversation;
  }

  /** Another one begins with the next message. */
  leave(): void {
    this.#creating = undefined;
  }
}
