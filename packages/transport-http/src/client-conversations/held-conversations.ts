import { KernelError, type ServiceReference } from "@incipit/kernel";
import {
  ServiceError,
  type ClientConversationKey,
  type ClientConversationsService,
} from "@incipit/service-contract";
import { clientItemSchema } from "@incipit/transport-contract";
import { need, type Services } from "../context/services.ts";
import { toStoredItem } from "./client-items.ts";
import type { ConversationLocks } from "./conversation-locks.ts";
import type { LockedConversation } from "./locked-conversation.ts";

/**
 * Concurrent responses and item changes are rejected. If two generations of the API do not see each other's locks, the
 * second write is rejected by its list version.
 */
export class HeldConversations implements ConversationLocks {
  readonly #services: Pick<Services, "clientConversations">;
  readonly #before: ServiceReference<ConversationLocks>;
  readonly #held = new Set<string>();

  constructor(services: Pick<Services, "clientConversations">, before: ServiceReference<ConversationLocks>) {
    this.#services = services;
    this.#before = before;
  }

  get service(): ClientConversationsService {
    return need(this.#services.clientConversations, "session orchestrator");
  }

  async holds(id: string): Promise<boolean> {
    return this.#held.has(id);
  }

  /** @throws {ServiceError} `CONVERSATION_BUSY` while a response is written. */
  async assertFree(id: string): Promise<void> {
    if ((await this.#isHeldBefore(id)) || this.#held.has(id)) throw busy(id);
  }

  /** @throws {ServiceError} as `assertFree`, and the service's error for an unknown id. */
  async hold(key: ClientConversationKey): Promise<LockedConversation> {
    const { id } = key;
    const isHeldBefore = await this.#isHeldBefore(id);
    if (isHeldBefore || this.#held.has(id)) throw busy(id);
    this.#held.add(id); // In the same tick as the check, so that concurrent calls cannot both pass.
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
      return false; // The other generation was interrupted together with its writes.
    }
  }
}

function busy(id: string): ServiceError {
  const message = `A response is being written in conversation "${id}": ask again when it has ended`;
  return new ServiceError("CONVERSATION_BUSY", message, { details: [{ field: '"conversation"', message }] });
}
