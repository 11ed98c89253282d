import { errorMessage } from "@incipit/kernel";
import { conversationIdSchema } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversations } from "./loaded-conversations.ts";
import { endInterruptedCompaction, finishInterruptedTurn } from "../turn/recovery.ts";
import { activeSchema, keys, type ActiveCompaction, type ActiveTurn } from "../store/stored.ts";
import { storedEntries } from "../store/read-page.ts";
import type { TurnJobs } from "../turn/turn-jobs.ts";
import { listWaitingConversations } from "../turn/waiting-turns.ts";

interface RecoverOptions {
  readonly loaded: LoadedConversations;
  readonly jobs: TurnJobs;
  /** With work of this generation, which must not be recovered. */
  readonly own: ReadonlySet<string>;
  /** The host or this extension starts: `resume` applies; otherwise queued turns run. */
  readonly isStart: boolean;
}

/** A turn that fails to recover is logged and skipped. */
export async function recoverTurns(context: OrchestratorContext, options: RecoverOptions): Promise<void> {
  const { loaded, jobs, own, isStart } = options;
  const { resume } = context.settings;
  const unlessItFails = async (key: string, recover: () => Promise<void>): Promise<void> => {
    try {
      await recover();
    } catch (error) {
      const message = errorMessage(error);
      context.log.error("A turn could not be recovered", { key, error: message });
    }
  };
  const recover = async (active: ActiveTurn | ActiveCompaction): Promise<void> => {
    const conversation = await loaded.load(conversationIdSchema.parse(active.conversationId));
    conversation.ids.follow(active.turnId);
    if (active.state === "compacting") await endInterruptedCompaction(context, conversation, active.turnId);
    else if (active.state === "running") await finishInterruptedTurn(context, conversation, active.turnId);
    else if (isStart && resume === "ask") await jobs.letWait(conversation, active);
    else jobs.runLater(conversation, active);
  };
  for await (const { key, value } of storedEntries(context, keys.allActive, activeSchema))
    if (!own.has(value.conversationId)) await unlessItFails(key, () => recover(value));
  if (!isStart || resume === "ask") return;
  // After the others, behind which they are queued.
  for (const id of await listWaitingConversations(context))
    await unlessItFails(keys.waitingOf(id), async () => {
      await jobs.resume(await loaded.load(conversationIdSchema.parse(id)));
    });
}
