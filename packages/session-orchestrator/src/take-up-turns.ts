import { conversationIdSchema } from "@incipit/service-contract";
import type { OrchestratorContext } from "./context.ts";
import type { LoadedConversations } from "./loaded-conversations.ts";
import { endInterruptedTurn } from "./recovery.ts";
import { activeTurnSchema, keys, type ActiveTurn } from "./stored.ts";
import type { TurnJobs } from "./turn-jobs.ts";

const pageSize = 1_000;

/**
 * Ends the turns that a crash cut off, and lets those that were queued run. One that cannot be taken up is reported, and
 * stands in nobody's way.
 */
export async function takeUpTurns(
  context: OrchestratorContext,
  {
    loaded,
    jobs,
    own,
  }: { readonly loaded: LoadedConversations; readonly jobs: TurnJobs; readonly own: ReadonlySet<string> },
): Promise<void> {
  const { storage, log } = context;
  const onInvalid = (key: string, error: Error): void =>
    log.error("A damaged record was left out", { key, error: error.message });
  const takeUp = async (active: ActiveTurn): Promise<void> => {
    const conversation = await loaded.load(conversationIdSchema.parse(active.conversationId));
    conversation.ids.follow(active.turnId);
    if (active.state === "running") await endInterruptedTurn(context, conversation, active.turnId);
    else jobs.runLater(conversation, active);
  };
  let start = keys.active("");
  for (;;) {
    const range = { start, end: keys.active("~"), limit: pageSize, onInvalid };
    const page = await storage.list(range, activeTurnSchema);
    for (const { key, value } of page) {
      if (own.has(value.conversationId)) continue;
      try {
        await takeUp(value);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        log.error("A turn could not be recovered", { key, error: message });
      }
    }
    const last = page.at(-1);
    if (last === undefined) return;
    start = `${last.key} `;
  }
}
