import { errorMessage } from "@incipit/kernel";
import { conversationIdSchema } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversations } from "./loaded-conversations.ts";
import { endInterruptedCompaction, endTurnAsShown } from "../turn/recovery.ts";
import { activeSchema, keys, type ActiveCompaction, type ActiveTurn } from "../store/stored.ts";
import { storedEntries } from "../store/stored-entries.ts";
import type { TurnJobs } from "../turn/turn-jobs.ts";
import { conversationsThatWait } from "../turn/waiting-turns.ts";

interface RecoverOptions {
  readonly loaded: LoadedConversations;
  readonly jobs: TurnJobs;
  /** Conversations that this generation holds: what is there was left by nobody else. */
  readonly own: ReadonlySet<string>;
  /** A host or its orchestrator has started: `resume` of the settings says what becomes of the queue. Else it goes on. */
  readonly isStart: boolean;
}

/**
 * Ends the turns that were cut off, and lets those that were queued run, or wait. One that cannot be taken up is reported,
 * and stands in nobody's way.
 */
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
    else if (active.state === "running") await endTurnAsShown(context, conversation, active.turnId);
    else if (isStart && resume === "ask") await jobs.letWait(conversation, active);
    else jobs.runLater(conversation, active);
  };
  for await (const { key, value } of storedEntries(context, keys.allActive, activeSchema))
    if (!own.has(value.conversationId)) await unlessItFails(key, () => recover(value));
  if (!isStart || resume === "ask") return;
  // Behind the others: from here on they are among those.
  for (const id of await conversationsThatWait(context))
    await unlessItFails(keys.waitingOf(id), async () => {
      await jobs.resume(await loaded.load(conversationIdSchema.parse(id)));
    });
}
