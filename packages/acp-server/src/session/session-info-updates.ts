import type { SessionConfigOption, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Conversation, Usage } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { HostLink } from "../host/host-link.ts";
import { configOptions } from "./config-options.ts";

export interface SessionNewsOptions {
  readonly conversation: Pick<Conversation, "id" | "title">;
  readonly link: HostLink;
  readonly tell: (updates: readonly SessionUpdate[]) => Promise<void>;
  readonly log: (line: string) => void;
}

/** Checked at the start and end of turns; only changes are reported. */
export class SessionInfoUpdates {
  readonly #options: SessionNewsOptions;
  #title: string | null;
  /** JSON; `undefined` before the first report. */
  #choices: string | undefined;
  /** Serialized: the newest state is reported last. */
  #looks: Promise<void> = Promise.resolve();

  constructor(options: SessionNewsOptions) {
    this.#options = options;
    this.#title = options.conversation.title;
  }

  /** A response has reported them. */
  toldChoices(choices: readonly SessionConfigOption[]): void {
    this.#choices = JSON.stringify(choices);
  }

  /** Never rejects. */
  look(): Promise<void> {
    this.#looks = this.#looks.then(() => this.#safely(() => this.#look()));
    return this.#looks;
  }

  /** Input plus output of the newest call approximate the start of the next. Never rejects. */
  async used({ inputTokens, outputTokens }: Usage): Promise<void> {
    if (inputTokens === null) return;
    await this.#safely(async () => {
      const { link, conversation, tell } = this.#options;
      const params = { id: conversation.id };
      const [{ conversation: now }, { models }] = await link.call((client) =>
        Promise.all([client.call(routes.getConversation, { params }), client.call(routes.listModels)]),
      );
      const size = models.find(({ id }) => id === now.model)?.facts?.contextWindow;
      if (size === undefined || size === null) return; // The protocol requires the size in this update.
      await tell([{ sessionUpdate: "usage_update", used: inputTokens + (outputTokens ?? 0), size }]);
    });
  }

  async #look(): Promise<void> {
    const { link, conversation, tell } = this.#options;
    const [now, choices] = await link.call(async (client) => {
      const { conversation: found } = await client.call(routes.getConversation, {
        params: { id: conversation.id },
      });
      return [found, await configOptions(client, found)] as const;
    });
    const { title, updatedAt } = now;
    if (title !== this.#title) {
      this.#title = title;
      await tell([{ sessionUpdate: "session_info_update", title, updatedAt }]);
    }
    const text = JSON.stringify(choices);
    if (this.#choices !== undefined && this.#choices !== text)
      await tell([{ sessionUpdate: "config_option_update", configOptions: choices }]);
    this.#choices = text;
  }

  async #safely(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.log(`Cannot send a session update: ${String(error)}`);
    }
  }
}
