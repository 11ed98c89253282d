import { KernelError, type ServiceReference } from "@incipit/kernel";
import {
  ServiceError,
  type ClientConversationKey,
  type ClientConversationsService,
} from "@incipit/service-contract";
import { clientItemSchema } from "@incipit/transport-contract";
import { need, type Services } from "../context/services.ts";
import { toStoredItem } from "./client-items.ts";
import type { ConversationHolds } from "./conversation-holds.ts";
import type { HeldConversation } from "./held-conversation.ts";

/**
 * Which conversations of clients a response is written in.
 *
 * - One response at a time: another one is refused meanwhile, and so is who adds or takes away items.
 * - Where two generations of the API did not see one another, the second that writes is refused: the list has changed.
 */
export class HeldConversations implements ConversationHolds {
  readonly #services: Pick<Services, "clientConversations">;
  readonly #before: ServiceReference<ConversationHolds>;
  readonly #held = new Set<string>();

  constructor(services: Pick<Services, "clientConversations">, before: ServiceReference<ConversationHolds>) {
    this.#services = services;
    this.#before = before;
  }

  get service(): ClientConversationsService {
    return need(this.#services.clientConversations, "session orchestrator");
  }

  async holds(id: string): Promise<boolean> {
    return this.#held.has(id);
  }

  /** @throws {ServiceError} `CONVERSATION_BUSY` while a response is written there. */
  async assertFree(id: string): Promise<void> {
    if ((await this.#isHeldBefore(id)) || this.#held.has(id)) throw busy(id);
  }

  /** @throws {ServiceError} as `assertFree`, and as the service does for one that there is not. */
  async hold(key: ClientConversationKey): Promise<HeldConversation> {
    const { id } = key;
    const isHeldBefore = await this.#isHeldBefore(id);
    if (isHeldBefore || this.#held.has(id)) throw busy(id);
    this.#held.add(id); // In one step with the look: two may ask at once.
    let isHeld = true;
    const letGo = (): void => {
      if (isHeld) this.#held.delete(id);
      isHeld = false;
    };
    try {
      const { version, items } = await this.service.read(key);
      return {
        id,
        items: items.map((item) => clientItemSchema.parse(item)),
        letGo,
        append: async (added) => {
          try {
            await this.service.add(key, { version, items: added.map(toStoredItem) });
          } catch (error) {
            if (!ServiceError.is(error) || error.code !== "CONVERSATION_UNKNOWN") throw error;
          } finally {
            letGo();
          }
        },
      };
    } catch (error) {
      letGo();
      throw error;
    }
  }

  async #isHeldBefore(id: string): Promise<boolean> {
    try {
      return (await this.#before.current?.holds(id)) === true;
    } catch (error) {
      if (!KernelError.is(error)) throw error;
      return false; // It was cut off, and what it wrote with it.
    }
  }
}

function busy(id: string): ServiceError {
  const message = `A response is being written in conversation "${id}": ask again when it has ended`;
  return new ServiceError("CONVERSATION_BUSY", message, { details: [{ field: '"conversation"', message }] });
}
