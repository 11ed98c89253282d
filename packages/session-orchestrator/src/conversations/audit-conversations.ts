import {
  addAuditSummaries,
  emptyAuditSummary,
  type AuditedConversation,
  type AuditedStep,
  type AuditQuery,
  type AuditSummary,
  type ConversationId,
  type PageQuery,
  stepSchema,
  type Step,
} from "@incipit/schema";
import type { Page } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { recordsBefore } from "./filtered-records.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { keys } from "../store/stored.ts";
import { readPage } from "../store/read-page.ts";
import { auditedStep, readSummary, storedSummaries } from "../audit/step-sum.ts";
import type { Storage } from "@incipit/kernel";

const maxConversations = 1_000;
const maxReadSteps = 1_000;
const pageSize = 100;

export async function auditConversation(
  { storage }: OrchestratorContext,
  id: ConversationId,
  page: PageQuery,
): Promise<Page<AuditedStep> & { readonly summary: AuditSummary }> {
  const { items, ...rest } = await readPage(keys.steps(id), page, (range) => listSteps(storage, range));
  const { summary } = await withServiceErrors(() => readSummary(storage, id));
  return { items: items.map(auditedStep), summary, ...rest };
}

export async function auditConversations(
  context: OrchestratorContext,
  { cursor, limit, ...filter }: AuditQuery,
): Promise<Page<AuditedConversation> & { readonly totals: AuditSummary }> {
  const items: AuditedConversation[] = [];
  let totals = emptyAuditSummary;
  let before = cursor;
  let readSteps = 0;
  for (let looks = 0; looks < maxConversations && readSteps < maxReadSteps;) {
    const { records, oldest } = await recordsBefore(context, before, pageSize);
    const stored = await withServiceErrors(() =>
      storedSummaries(
        context.storage,
        records.map(({ id }) => id),
      ),
    );
    for (const { id, title, model, profile, archived, createdAt, updatedAt } of records) {
      if (items.length === limit || readSteps >= maxReadSteps)
        return { items, totals, ...(before && { nextCursor: before }) };
      const summary = stored.get(id);
      const found =
        summary === undefined
          ? await withServiceErrors(() => readSummary(context.storage, id))
          : { summary, readSteps: 0 };
      looks += 1;
      readSteps += found.readSteps;
      before = id;
      if (!fits(found.summary, filter)) continue;
      items.push({ id, title, model, profile, archived, createdAt, updatedAt, summary: found.summary });
      totals = addAuditSummaries(totals, found.summary);
    }
    before = oldest;
    if (before === undefined) return { items, totals };
  }
  return { items, totals, ...(before === undefined ? {} : { nextCursor: before }) };
}

function fits(
  { steps, lastStepAt, reasons, broken }: AuditSummary,
  { since, reason, onlyBroken }: Omit<AuditQuery, "cursor" | "limit">,
): boolean {
  if (steps === 0 || lastStepAt === null) return false;
  if (since !== undefined && lastStepAt < since) return false;
  if (reason !== undefined && reasons[reason] === undefined) return false;
  return onlyBroken === "false" || broken > 0;
}

export async function listSteps(
  storage: Storage,
  range: { readonly start: string; readonly end: string; readonly limit: number },
): Promise<readonly { readonly key: string; readonly value: Step | undefined }[]> {
  const damaged: { readonly key: string; readonly value: undefined }[] = [];
  const onInvalid = (key: string): void => void damaged.push({ key, value: undefined });
  const found = await storage.list({ ...range, onInvalid }, stepSchema);
  return [...found, ...damaged].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
