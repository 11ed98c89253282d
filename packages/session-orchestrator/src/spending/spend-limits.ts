import { errorMessage, type Storage, type StorageWrite } from "@incipit/kernel";
import {
  lazySchema,
  type SpendLimitsState,
  type Spent,
  type TurnId,
  addSpent,
  nothingSpent,
  spentOfCall,
  spentSchema,
  type Step,
  callCost,
  stepSchema,
  type MissingForCost,
} from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { StepFailure } from "../failures/step-failure.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { fetchPrices, type FoundModel } from "../models/find-model.ts";
import { keys, storedConversationSchema, type StoredConversation, activeTurnSchema } from "../store/stored.ts";
import { skipInvalid, childIds } from "../store/read-page.ts";
import * as z from "zod";

const announcedShare = 0.8;
const keptDays = 31;
const dayMs = 86_400_000;

/** Keyed by the amount of the cap, so that a raised cap warns again. */
const announcedSchema = lazySchema(() =>
  z.object({
    conversation: z.number().exactOptional(),
    day: z.string().exactOptional(),
    unpriced: z.string().exactOptional(),
  }),
);
type Announced = z.infer<typeof announcedSchema>;

type LimitsContext = Pick<OrchestratorContext, "storage" | "clock" | "settings">;

interface Notice {
  readonly reason: "near-limit" | "unpriced";
  readonly message: string;
}

interface Reached {
  readonly cap: number;
  readonly spent: Spent;
}

/**
 * Warns near a cap or, once, for a model without a price. Sums are stored with each call's end and shared across
 * restarts and conversations: only calls in flight can exceed a cap.
 *
 * @throws {StepFailure} `SPEND_LIMIT_REACHED`.
 */
export async function assertMaySpend(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { turnId, found, model }: { readonly turnId: TurnId; readonly found: FoundModel; readonly model: string },
): Promise<void> {
  const { storage, clock, settings } = context;
  const { maxUsdPerConversation, maxUsdPerDay } = settings.limits;
  if (maxUsdPerConversation === null && maxUsdPerDay === null) return;
  const { record, log } = conversation;
  const ofDay = await spentOfDay(context);
  if (ofDay !== undefined) assertDay(ofDay);
  const ofConversation = await spentOfConversation(context, record);
  if (ofConversation !== undefined) assertConversation(ofConversation);
  const key = keys.spendAnnounced(record.id);
  const before = (await storage.get(key, announcedSchema).catch(() => undefined)) ?? {};
  const hasPrice = before.unpriced === model || (await fetchPrices(context, found)) !== null;
  const { after, notices } = announce(before, {
    ofDay,
    ofConversation,
    unpriced: hasPrice ? undefined : model,
    today: dayOf(clock.now()),
  });
  if (notices.length === 0) return;
  await log.append(
    notices.map((notice) => ({ type: "spending-notice", turnId, ...notice }) as const),
    [{ kind: "set", key, value: after }],
  );
}

/**
 * For a stateless call.
 *
 * @throws {StepFailure} `SPEND_LIMIT_REACHED`.
 */
export async function assertMaySpendToday(context: LimitsContext): Promise<void> {
  const ofDay = await spentOfDay(context);
  if (ofDay !== undefined) assertDay(ofDay);
}

export async function readSpendLimits({ storage, clock, settings }: LimitsContext): Promise<SpendLimitsState> {
  const today = dayOf(clock.now());
  return { ...settings.limits, today, spentToday: await withServiceErrors(() => spentOnDay(storage, today)) };
}

/** Never rejects. */
export async function pruneDays({
  storage,
  clock,
  log,
}: LimitsContext & Pick<OrchestratorContext, "log">): Promise<void> {
  try {
    await forgetDaysBefore(storage, dayOf(clock.now() - keptDays * dayMs));
  } catch (error) {
    log.warn("The sums of old days could not be deleted; the next start tries again", {
      error: errorMessage(error),
    });
  }
}

async function spentOfDay({ storage, clock, settings }: LimitsContext): Promise<Reached | undefined> {
  const { maxUsdPerDay: cap } = settings.limits;
  if (cap === null) return undefined;
  return { cap, spent: await withServiceErrors(() => spentOnDay(storage, dayOf(clock.now()))) };
}

async function spentOfConversation(
  context: OrchestratorContext,
  record: StoredConversation,
): Promise<Reached | undefined> {
  const { storage, settings } = context;
  const { maxUsdPerConversation: cap } = settings.limits;
  if (cap === null) return undefined;
  let root = record;
  for (let { parent } = record; parent !== null; { parent } = root) {
    const { conversationId } = parent;
    const above = await withServiceErrors(() =>
      storage.get(keys.conversation(conversationId), storedConversationSchema),
    );
    if (above === undefined) break;
    root = above;
  }
  return { cap, spent: await spentOf(context, root.id) };
}

function announce(
  before: Announced,
  {
    ofDay,
    ofConversation,
    unpriced,
    today,
  }: {
    readonly ofDay: Reached | undefined;
    readonly ofConversation: Reached | undefined;
    readonly unpriced: string | undefined;
    readonly today: string;
  },
): { readonly after: Announced; readonly notices: readonly Notice[] } {
  const notices: Notice[] = [];
  const after = { ...before };
  if (isNear(ofConversation) && before.conversation !== ofConversation.cap) {
    after.conversation = ofConversation.cap;
    const message = `This conversation has cost ${usd(ofConversation.spent.usd)} of the ${usd(ofConversation.cap)} that ${conversationKey} allows`;
    notices.push({ reason: "near-limit", message });
  }
  const day = `${today} ${ofDay?.cap ?? ""}`;
  if (isNear(ofDay) && before.day !== day) {
    after.day = day;
    const message = `Model calls have cost ${usd(ofDay.spent.usd)} today, of the ${usd(ofDay.cap)} that ${dayKey} allows`;
    notices.push({ reason: "near-limit", message });
  }
  if (unpriced !== undefined) {
    after.unpriced = unpriced;
    const message = `The price of "${unpriced}" is unknown: its calls count as $0 for the caps of [limits], unless the vendor reports their cost; add its prices to the configuration (prices = { input = …, output = … })`;
    notices.push({ reason: "unpriced", message });
  }
  return { after, notices };
}

function isNear(reached: Reached | undefined): reached is Reached {
  return reached !== undefined && reached.spent.usd >= announcedShare * reached.cap;
}

const conversationKey = "[limits] max_usd_per_conversation";
const dayKey = "[limits] max_usd_per_day";

function assertConversation({ cap, spent }: Reached): void {
  if (spent.usd < cap) return;
  throw limitReached(
    `This conversation has cost ${usd(spent.usd)}, and ${conversationKey} allows ${usd(cap)}: further model calls are refused; raise the cap and restart the host, or start a new conversation`,
  );
}

function assertDay({ cap, spent }: Reached): void {
  if (spent.usd < cap) return;
  throw limitReached(
    `Model calls have cost ${usd(spent.usd)} today, and ${dayKey} allows ${usd(cap)}: further model calls are refused; continue tomorrow, or raise the cap and restart the host`,
  );
}

function limitReached(message: string): StepFailure {
  return new StepFailure({ code: "SPEND_LIMIT_REACHED", message, isRetryable: false });
}

function usd(amount: number): string {
  return amount === 0 || amount >= 1 ? `$${amount.toFixed(2)}` : `$${Number(amount.toPrecision(3))}`;
}

/** One entry per finished call: keys are unique, and repeated writes are idempotent. */
const ledgerPrefix = "spent-on:";

/** ISO 8601 dates, which sort as strings, in the machine's time zone. */
const calendarDays = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" });

function dayOf(atMs: number): string {
  return calendarDays.format(atMs);
}

/** Counts the call on the day it started; commit with the call's end. */
export function dayLedgerWrites({
  id,
  startedAt,
  ...call
}: Pick<Step, "startedAt" | "prices" | "usage" | "estimatedUsage"> & {
  readonly id: string;
}): readonly StorageWrite[] {
  const spent = spentOfCall(call);
  if (spent.usd === 0 && spent.unpriced === 0) return [];
  return [{ kind: "set", key: `${ledgerPrefix}${dayOf(Date.parse(startedAt))}:${id}`, value: spent }];
}

/** Includes deleted conversations. */
async function spentOnDay(storage: Storage, day: string): Promise<Spent> {
  let spent = nothingSpent;
  for await (const { value } of storage.entries(`${ledgerPrefix}${day}:`, spentSchema, skipInvalid))
    spent = addSpent(spent, value);
  return spent;
}

async function forgetDaysBefore(storage: Storage, day: string): Promise<void> {
  for (;;) {
    const page = await storage.list(
      { start: ledgerPrefix, end: `${ledgerPrefix}${day}`, limit: 500, ...skipInvalid },
      spentSchema,
    );
    if (page.length === 0) return;
    await storage.atomic(
      [],
      page.map(({ key }) => ({ kind: "delete", key }) as const),
    );
  }
}

interface CallsSpent extends Spent {
  readonly missing?: { readonly what: MissingForCost; readonly model: string };
}

function added(one: CallsSpent, other: CallsSpent): CallsSpent {
  return { ...one, ...other, ...addSpent(one, other) };
}

async function spentOf(
  context: Pick<OrchestratorContext, "storage">,
  id: string,
  turnId?: TurnId,
): Promise<CallsSpent> {
  let spent = await spentIn(context, id, turnId);
  const { storage } = context;
  const waiting: { readonly id: string; readonly turnId?: TurnId | undefined }[] = [{ id, turnId }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    for (let before: string | undefined = "~"; before !== undefined;) {
      const ids: readonly string[] = await childIds(context, at.id, { before, limit: 100 });
      for (const child of ids) {
        if (at.turnId !== undefined) {
          const range = { prefix: keys.conversation(child), limit: 1, ...skipInvalid };
          const [entry] = await withServiceErrors(() => storage.list(range, storedConversationSchema));
          if (entry?.value.parent?.turnId !== at.turnId) continue;
        }
        spent = added(spent, await spentIn(context, child));
        waiting.push({ id: child });
      }
      before = ids.at(-1);
    }
  return spent;
}

/** A call that failed before its reply and without usage is free. */
async function spentIn(
  { storage }: Pick<OrchestratorContext, "storage">,
  id: string,
  turnId?: TurnId,
): Promise<CallsSpent> {
  let spent: CallsSpent = nothingSpent;
  for await (const { value: step } of storage.entries(keys.steps(id), stepSchema, skipInvalid)) {
    if (turnId !== undefined && step.turnId !== turnId) continue;
    if (step.requestSha256 === null || step.endedAt === null) continue;
    const cost = callCost(step.prices, step.usage);
    if (cost.kind === "known" || step.estimatedUsage !== undefined)
      spent = added(spent, { ...spentOfCall(step), unpriced: 0 });
    if (cost.kind === "unknown" && step.error === null)
      spent = added(spent, { ...nothingSpent, missing: { what: cost.missing, model: step.model } });
  }
  return spent;
}

interface AskedCall {
  readonly found: FoundModel;
  readonly model: string;
  readonly turnId: TurnId;
  readonly maxCost: number | undefined;
}

/**
 * Also checks the turns that delegated this one as a task.
 *
 * @throws {StepFailure} `MAX_COST`; `PRICE_UNKNOWN`.
 */
export async function assertWithinCost(
  context: OrchestratorContext,
  record: StoredConversation,
  { found, model, turnId, maxCost }: AskedCall,
): Promise<void> {
  let at: { readonly record: StoredConversation; readonly turnId: TurnId; readonly maxCost: number | undefined };
  at = { record, turnId, maxCost };
  for (;;) {
    if (at.maxCost !== undefined) {
      if ((await fetchPrices(context, found)) === null)
        throw priceUnknown(`the price of "${model}" is unknown`, setPrices);
      assertBelow(await spentOf(context, at.record.id, at.turnId), at.maxCost);
    }
    const { parent } = at.record;
    if (parent === null) return;
    const above = await withServiceErrors(() =>
      context.storage.get(keys.conversation(parent.conversationId), storedConversationSchema),
    );
    if (above === undefined) return;
    const active = await withServiceErrors(() => context.storage.get(keys.active(parent.turnId), activeTurnSchema));
    at = { record: above, turnId: parent.turnId, maxCost: active?.request.maxCost };
  }
}

function assertBelow({ usd, missing }: CallsSpent, maxCost: number): void {
  if (missing?.what === "price") throw priceUnknown(`the price of "${missing.model}" is unknown`, setPrices);
  if (missing !== undefined)
    throw priceUnknown(
      `"${missing.model}" answered without its ${missing.what}, which the cost is computed from`,
      "choose a model whose endpoint reports them",
    );
  if (usd < maxCost) return;
  const message = `The turn has cost $${usd.toFixed(4)}, and may cost $${maxCost}: no other model call begins`;
  throw new StepFailure({ code: "MAX_COST", message, isRetryable: false });
}

const setPrices = "write its prices into the configuration (prices = { input = …, output = … })";

function priceUnknown(why: string, whatToDo: string): StepFailure {
  const message = `The turn has a bound in US dollars, and ${why}: ${whatToDo}, or leave the bound out`;
  return new StepFailure({ code: "PRICE_UNKNOWN", message, isRetryable: false });
}
