import { errorMessage } from "@incipit/kernel";
import { lazySchema, type SpendLimitsState, type Spent, type TurnId } from "@incipit/schema";
import * as z from "zod";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { StepFailure } from "../failures/step-failure.ts";
import { withServiceErrors } from "../failures/storage-failure.ts";
import { fetchPrices } from "../models/fetch-prices.ts";
import type { FoundModel } from "../models/find-model.ts";
import { keys, storedConversationSchema, type StoredConversation } from "../store/stored.ts";
import { dayOf, forgetDaysBefore, spentOnDay } from "./day-ledger.ts";
import { spentOf } from "./spent-of.ts";

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
