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
import { followHandedOver, isGone } from "./follow-handed-over.ts";
import type { Conversations } from "./service.ts";

type Service = ConversationsService & ApprovalsService & FileChangesService & MessageFilesService;

/** What a generation still works on: its successor leaves that to it, and takes over the rest. */
export interface ConversationHandOver extends Service {
  /** Something runs or waits to run there. Once it is `false` in a generation that drains, it stays so. */
  holds(id: string): boolean;
  /** Resolves when what the generation before it has left is taken up: until then calls wait there that nobody sees. */
  settled(): Promise<void>;
}

/** For the next generation alone. */
export const conversationHandOverHandle: ServiceHandle<ConversationHandOver> =
  defineHandle("conversation-hand-over@1");

/**
 * The conversations of two generations as one service: while the one before drains, those that it holds are its own, so that
 * at no time two work on one conversation.
 */
export function handedOverConversations(
  own: Conversations,
  before: ServiceReference<ConversationHandOver>,
  onRecoverError: (error: unknown) => void,
): Service {
  let isAlone = before.current === undefined;
  /** Resolves when the one before is over, and what it left is taken up. */
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

  /** Looks and calls in one step: in between, the one before could let go, and somebody else take up. */
  const at = <Result>(id: unknown, call: (service: Service) => Result): Promise<Awaited<Result>> => {
    const holder = before.current;
    if (holder !== undefined) {
      try {
        return Promise.resolve(call(typeof id === "string" && holder.holds(id) ? holder : own));
      } catch (error) {
        if (!isGone(error)) throw error; // It was cut off: what it leaves is being stored.
      }
    }
    return isAlone ? Promise.try(() => Promise.resolve(call(own))) : alone.then(() => Promise.resolve(call(own)));
  };

  /** As whoever holds it shows it. */
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
      // A task is shown in its caller, by whoever works on that.
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
        followHandedOver(id, options, { own, at: (about) => at(about, async (service) => service), before, alone }),
    },
  });
}
