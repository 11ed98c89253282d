import {
  addSpent,
  nothingSpent,
  spentOfCall,
  stepSchema,
  type ConversationTask,
  type Spent,
  type PageQuery,
} from "@incipit/schema";
import type { Page } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { childIds, skipInvalid } from "../store/read-page.ts";
import { keys, storedConversationSchema, type StoredConversation } from "../store/stored.ts";
import { viewOf } from "./list-conversations.ts";
import type { LoadedConversations } from "./loaded-conversations.ts";

/** Per page; the next page resumes after the task that reached the limit. */
const maxCalls = 2_000;

export interface TasksPage extends Page<ConversationTask> {
  readonly spent: Spent;
}

export async function listTasks(
  context: OrchestratorContext,
  { parentId, loaded }: { readonly parentId: string; readonly loaded: LoadedConversations },
  { cursor = "~", limit }: PageQuery,
): Promise<TasksPage> {
  const reader = new SpentReader(context);
  const items: ConversationTask[] = [];
  let spent = nothingSpent;
  let before = cursor;
  while (items.length < limit) {
    const [id] = await childIds(context, parentId, { before, limit: 1 });
    if (id === undefined) return { items, spent };
    before = id;
    const record = await recordOf(context, id);
    if (record === undefined) continue;
    const own = await reader.ownOf(id);
    const below = await reader.belowOf(id);
    items.push({ conversation: await viewOf(context, loaded, record), spent: own, spentBelow: below });
    spent = addSpent(spent, addSpent(own, below));
    if (reader.calls >= maxCalls) break;
  }
  return { items, spent, nextCursor: before };
}

async function recordOf({ storage }: OrchestratorContext, id: string): Promise<StoredConversation | undefined> {
  const range = { prefix: keys.conversation(id), limit: 1, ...skipInvalid };
  const [entry] = await withServiceErrors(() => storage.list(range, storedConversationSchema));
  return entry?.value;
}

const pageSize = 100;

class SpentReader {
  readonly #context: OrchestratorContext;
  calls = 0;

  constructor(context: OrchestratorContext) {
    this.#context = context;
  }

  async ownOf(id: string): Promise<Spent> {
    const { storage } = this.#context;
    let spent = nothingSpent;
    for await (const { value: step } of storage.entries(keys.steps(id), stepSchema, skipInvalid)) {
      this.calls += 1;
      if (step.requestSha256 === null) continue;
      spent = addSpent(spent, spentOfCall(step));
    }
    return spent;
  }

  /** The depth equals that of delegation; imports cannot create such trees. */
  async belowOf(id: string): Promise<Spent> {
    let spent = nothingSpent;
    const waiting = [id];
    for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop())
      for (let before: string | undefined = "~"; before !== undefined;) {
        const ids: readonly string[] = await childIds(this.#context, parent, { before, limit: pageSize });
        for (const child of ids) {
          spent = addSpent(spent, await this.ownOf(child));
          waiting.push(child);
        }
        before = ids.at(-1);
      }
    return spent;
  }
}
