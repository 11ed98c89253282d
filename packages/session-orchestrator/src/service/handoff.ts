import { defineHandle, routedView, type ServiceHandle, type ServiceReference } from "@incipit/kernel";
import type { Conversation } from "@incipit/schema";
import {
  approvalsHandle,
  conversationsHandle,
  fileChangesHandle,
  messageFilesHandle,
  type ApprovalsService,
  type ConversationsService,
  type FileChangesService,
  type MessageFilesService,
} from "@incipit/service-contract";
import { followAcrossGenerations, isGone } from "./follow-across-generations.ts";
import type { Conversations } from "./service.ts";

type Service = ConversationsService & ApprovalsService & FileChangesService & MessageFilesService;

/** Conversations in progress of a generation, for its successor, which takes over all others. */
export interface ConversationHandoff extends Service {
  /** In a draining generation, `false` is final. */
  holds(id: string): boolean;
  /** Calls wait until the predecessor's state is recovered. */
  settled(): Promise<void>;
}

/** For the next generation only. */
export const conversationHandoffHandle: ServiceHandle<ConversationHandoff> =
  defineHandle("conversation-hand-over@1");

/** While the predecessor drains, it keeps the conversations it works on, so that none has two workers. */
export function handoffConversations(
  own: Conversations,
  before: ServiceReference<ConversationHandoff>,
  onRecoverError: (error: unknown) => void,
): Service {
  let isAlone = before.current === undefined;
  const alone: Promise<void> = isAlone
    ? Promise.resolve()
    : new Promise((resolve) => {
        before.onChange(() => {
          if (before.current !== undefined) return;
          const recovered = own.recover({ isStart: false }).catch(onRecoverError);
          void recovered.then(() => {
            isAlone = true;
            resolve();
          });
        });
      });

  /** Checks and calls synchronously: otherwise the conversation could change hands in between. */
  const at = <Result>(id: unknown, call: (service: Service) => Result): Promise<Awaited<Result>> => {
    const holder = before.current;
    if (holder !== undefined) {
      try {
        return Promise.resolve(call(typeof id === "string" && holder.holds(id) ? holder : own));
      } catch (error) {
        if (!isGone(error)) throw error; // The predecessor was cut; its state is being stored.
      }
    }
    return isAlone ? Promise.try(() => Promise.resolve(call(own))) : alone.then(() => Promise.resolve(call(own)));
  };

  const shown = async (conversation: Conversation): Promise<Conversation> =>
    before.current === undefined
      ? conversation
      : at(conversation.id, (service) => service.get(conversation.id)).catch(() => conversation);

  return routedView<Service>({
    members: {
      ...conversationsHandle.members,
      ...approvalsHandle.members,
      ...fileChangesHandle.members,
      ...messageFilesHandle.members,
    },
    route: at,
    instead: {
      // A task belongs to the generation of its caller.
      create: (request, options) =>
        options?.parent === undefined
          ? own.create(request, options)
          : at(options.parent.conversationId, (service) => service.create(request, options)),
      importLines: (lines) => own.importLines(lines),
      async list(query) {
        const found = await own.list(query);
        return { ...found, items: await Promise.all(found.items.map(shown)) };
      },
      async tasks(id, page) {
        const found = await at(id, (service) => service.tasks(id, page));
        const items = found.items.map(async (item) => ({ ...item, conversation: await shown(item.conversation) }));
        return { ...found, items: await Promise.all(items) };
      },
      async search(query) {
        const found = await own.search(query);
        const items = found.items.map(async (item) => ({ ...item, conversation: await shown(item.conversation) }));
        return { ...found, items: await Promise.all(items) };
      },
      async *exportLines(id) {
        const source = await at(id, async (service) => service);
        yield* source.exportLines(id);
      },
      follow: (id, options) =>
        followAcrossGenerations(id, options, {
          own,
          at: (about) => at(about, async (service) => service),
          before,
          alone,
        }),
    },
  });
}
