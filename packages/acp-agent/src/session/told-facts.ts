import type { SessionConfigOption, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Conversation } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { HostLink } from "../host/host-link.ts";
import { chooseOption, chosenEffort, configOptions, type Choice, type Effort } from "./config-options.ts";

type Facts = Pick<Conversation, "title" | "model" | "profile">;

export interface ToldFactsOptions {
  readonly conversation: Conversation;
  /** What the session asks for; `undefined`: what is configured. */
  readonly effort: Effort | undefined;
  readonly link: HostLink;
  readonly tell: (updates: readonly SessionUpdate[]) => Promise<void>;
  readonly log: (line: string) => void;
}

/**
 * What an editor was told of its conversation itself: its title, and what is chosen for it. Others may change these, and no
 * event says so; a look when a turn begins and ends finds it. Looks and choices wait for each other.
 */
export class ToldFacts {
  readonly #options: ToldFactsOptions;
  #told: Facts;
  #effort: Effort | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ToldFactsOptions) {
    this.#options = options;
    this.#told = options.conversation;
    this.#effort = options.effort;
  }

  get effort(): Effort | undefined {
    return this.#effort;
  }

  /** Makes a choice of the editor's own; gives all that there is to choose from then. @throws {RequestError} */
  choose(choice: Choice): Promise<SessionConfigOption[]> {
    const { link, conversation } = this.#options;
    return this.#next(async () => {
      const chosen = chosenEffort(choice);
      const changed =
        chosen === undefined
          ? await link.call((client) => chooseOption(client, conversation, choice))
          : await this.#read();
      if (chosen !== undefined) this.#effort = chosen.effort;
      const { model, profile } = changed;
      this.#told = { ...this.#told, model, profile }; // The answer tells it.
      return this.#choices(changed);
    });
  }

  /** Tells what is another than it was told before. Never rejects. */
  look(): Promise<void> {
    const { tell, log } = this.#options;
    return this.#next(async () => {
      const conversation = await this.#read();
      const { title, model, profile } = this.#told;
      const { updatedAt } = conversation;
      this.#told = conversation;
      if (conversation.title !== title)
        await tell([{ sessionUpdate: "session_info_update", title: conversation.title, updatedAt }]);
      if (conversation.model === model && conversation.profile === profile) return;
      await tell([{ sessionUpdate: "config_option_update", configOptions: await this.#choices(conversation) }]);
    }).catch((error: unknown) => {
      log(`What is known of conversation ${this.#options.conversation.id} could not be read: ${String(error)}`);
    });
  }

  async #read(): Promise<Conversation> {
    const { link, conversation } = this.#options;
    const { id } = conversation;
    return (await link.call((client) => client.call(routes.getConversation, { params: { id } }))).conversation;
  }

  #choices(conversation: Conversation): Promise<SessionConfigOption[]> {
    return this.#options.link.call((client) => configOptions(client, conversation, this.#effort));
  }

  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined); // Whoever has asked is told.
    return result;
  }
}
