import { defineHandle, routedView, type ServiceHandle, type ServiceReference, KernelError } from "@incipit/kernel";
import type { Conversation, ConversationId, TurnEvent } from "@incipit/schema";
import {
  approvalsHandle,
  conversationsHandle,
  fileChangesHandle,
  messageFilesHandle,
  type ApprovalsService,
  type ConversationsService,
  type FileChangesService,
  type MessageFilesService,
  ServiceError,
  type FollowOptions,
} from "@incipit/service-contract";
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

type Source = Pick<ConversationsService, "follow" | "get">;

export interface HandedOver {
  readonly own: Source;
  readonly at: (id: ConversationId) => Promise<Source>;
  readonly before: { readonly current: (Source & { holds(id: string): boolean }) | undefined };
  /** Resolves when the predecessor has ended and its state is recovered. */
  readonly alone: Promise<void>;
}

/** Yields each event once. */
export async function* followAcrossGenerations(
  id: ConversationId,
  options: FollowOptions,
  { own, at, before, alone }: HandedOver,
): AsyncGenerator<TurnEvent> {
  let afterSeq = options.afterSeq ?? (await (await at(id)).get(id)).lastSeq;
  for (let hasFollowed = false; ; hasFollowed = true) {
    const source = await at(id);
    try {
      for await (const event of source.follow(id, { ...options, afterSeq })) {
        afterSeq = event.seq;
        yield event;
        if (event.turnId === options.turnId && event.type === "turn-end") return;
      }
      // The predecessor is still working but sends no more events; retrying in a loop would starve it.
      if (source === before.current && before.current.holds(id)) await alone;
    } catch (error) {
      if (hasFollowed && isUnknown(error)) return;
      if (!isGone(error)) throw error;
    }
    if (source === own || options.signal?.aborted === true) return;
  }
}

function isUnknown(error: unknown): boolean {
  return ServiceError.is(error) && error.code === "CONVERSATION_UNKNOWN";
}

function isGone(error: unknown): boolean {
  return KernelError.is(error) && error.code === "GENERATION_GONE";
}
