import { callCost, type Cost, type SpendLimitsState, type Step } from "@incipit/schema";
import { visibleWidth } from "@earendil-works/pi-tui";
import { percent } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import { routes, type Client } from "@incipit/transport-contract";
import { tokens, usd } from "../status/amounts.ts";
import { Block, hanging } from "../transcript/block.ts";
import type { TerminalCommand } from "./command.ts";
import { stepsOf } from "./steps-of.ts";
import { beginOfDay } from "./when.ts";

interface Sum {
  readonly calls: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly output: number;
  readonly usd: number;
  /** Calls without a known price, which `usd` excludes. */
  readonly unpriced: number;
  readonly isAtMost: boolean;
}

interface Row {
  readonly name: string;
  readonly isPart: boolean;
  readonly sum: Sum;
}

const nothing: Sum = { calls: 0, input: 0, cacheRead: 0, output: 0, usd: 0, unpriced: 0, isAtMost: false };

export const cost: TerminalCommand = {
  name: "cost",
  summary: "shows the cost of the last turn, the conversation and today, by model",
  async run({ session, style, print, tell }) {
    const { client, conversation } = session;
    const steps: Step[] = [];
    if (conversation !== undefined)
      for await (const step of stepsOf(client, conversation.id)) if (step.attempts > 0) steps.push(step);
    const lastTurn = steps.at(-1)?.turnId;
    const turn = steps.filter(({ turnId }) => turnId === lastTurn);
    const { today, limits } = await costsSince(client, beginOfDay(new Date()));
    if (steps.length === 0 && today.length === 0) return tell("No model was called today");
    const rows = [
      ...(steps.length === 0
        ? []
        : [
            { name: "The last turn", isPart: false, sum: total(turn.map(sumOfStep)) },
            ...withModels(
              "This conversation",
              steps.map((step) => [step.model, sumOfStep(step)]),
            ),
          ]),
      ...withModels(
        "Today, total",
        today.map((day) => [day.model, sumOfDay(day)]),
      ),
    ];
    const { unpriced, isAtMost } = total([...steps.map(sumOfStep), ...today.map(sumOfDay)]);
    const note = (text: string, width: number): readonly string[] =>
      hanging(text, { first: "  ", width }).map(style.muted);
    print(
      new Block((width) => [
        "",
        ...table(rows, width).map((line, index) => (index === 0 ? style.muted(line) : line)),
        ...(unpriced === 0 ? [] : note(missingText(steps), width)),
        ...capLines(limits).flatMap((line) => note(line, width)),
        ...(isAtMost ? note("≤: the vendor did not report all cache reads", width) : []),
      ]),
    );
  },
};

function missingText(steps: readonly Step[]): string {
  for (const { prices, usage } of steps.toReversed()) {
    const price = callCost(prices, usage);
    if (price.kind === "unknown" && price.missing !== "price")
      return `Costs exclude calls for which the vendor did not report the ${price.missing}`;
    if (price.kind === "unknown") break;
  }
  return "Costs exclude calls with unknown prices";
}

async function costsSince(
  client: Client,
  since: Date,
): Promise<{ readonly today: readonly Cost[]; readonly limits: SpendLimitsState }> {
  const found: Cost[] = [];
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (let cursor: string | undefined; ;) {
    const query = { since: since.toISOString(), zone, cursor };
    const { costs, limits, nextCursor } = await client.call(routes.listCosts, { query });
    found.push(...costs);
    cursor = nextCursor;
    if (cursor === undefined) return { today: found, limits };
  }
}

function capLines({ maxUsdPerConversation, maxUsdPerDay, spentToday }: SpendLimitsState): readonly string[] {
  return [
    ...(maxUsdPerConversation === null
      ? []
      : [`Limit per conversation: ${usd(maxUsdPerConversation)} (max_usd_per_conversation)`]),
    ...(maxUsdPerDay === null
      ? []
      : [`${usd(spentToday.usd)} of the daily limit of ${usd(maxUsdPerDay)} spent today (max_usd_per_day)`]),
  ];
}

function withModels(name: string, of: readonly (readonly [model: string, sum: Sum])[]): readonly Row[] {
  const models = new Map<string, Sum>();
  for (const [model, sum] of of) models.set(model, total([models.get(model) ?? nothing, sum]));
  const parts = [...models].toSorted(([, one], [, other]) => other.usd - one.usd || other.input - one.input);
  return [
    { name, isPart: false, sum: total(of.map(([, sum]) => sum)) },
    ...(parts.length < 2 ? [] : parts.map(([model, sum]) => ({ name: model, isPart: true, sum }))),
  ];
}

function sumOfStep({ usage, prices }: Step): Sum {
  const price = callCost(prices, usage);
  return {
    calls: 1,
    input: usage?.inputTokens ?? 0,
    cacheRead: usage?.cacheReadTokens ?? 0,
    output: usage?.outputTokens ?? 0,
    usd: price.kind === "known" ? price.usd : 0,
    unpriced: price.kind === "known" ? 0 : 1,
    isAtMost: price.kind === "known" && price.isAtMost,
  };
}

function sumOfDay({ calls, tokens: { input, cacheRead, output }, usd, unpriced }: Cost): Sum {
  return { calls, input, cacheRead, output, usd: usd.total, unpriced, isAtMost: usd.isAtMost === true };
}

function total(sums: readonly Sum[]): Sum {
  return sums.reduce(
    (one, other) => ({
      calls: one.calls + other.calls,
      input: one.input + other.input,
      cacheRead: one.cacheRead + other.cacheRead,
      output: one.output + other.output,
      usd: one.usd + other.usd,
      unpriced: one.unpriced + other.unpriced,
      isAtMost: one.isAtMost || other.isAtMost,
    }),
    nothing,
  );
}

const gap = "  ";
const head = ["calls", "input", "cached", "output", "cost"] as const;

/** Dropped in a narrow terminal in this order; the cost always stays. */
const leftOut = [2, 3, 1, 0] as const;

function table(rows: readonly Row[], width: number): readonly string[] {
  const all = [head, ...rows.map(({ sum }) => figuresOf(sum))];
  let lines = figureLines(all, 0);
  for (let without = 1; without <= leftOut.length && (lines[0]?.length ?? 0) + gap.length > width; without += 1)
    lines = figureLines(all, without);
  const figuresWidth = lines[0]?.length ?? 0;
  const names = rows.map(
    ({ name, isPart }) => `${isPart ? "    " : "  "}${clippedLine(name, { maxCharacters: 60 })}`,
  );
  const nameWidth = Math.max(...names.map(visibleWidth));
  const room = Math.max(0, Math.min(nameWidth, width - figuresWidth - 2));
  return [
    `${" ".repeat(room)}  ${lines[0] ?? ""}`,
    ...names.flatMap((name, index) => {
      const line = lines[index + 1] ?? "";
      return visibleWidth(name) <= room
        ? [`${name}${" ".repeat(room - visibleWidth(name))}  ${line}`]
        : [name, `${" ".repeat(room)}  ${line}`];
    }),
  ];
}

function figureLines(rows: readonly (readonly string[])[], without: number): readonly string[] {
  const kept = head
    .map((_, column) => column)
    .filter((column) => !leftOut.slice(0, without).some((one) => one === column));
  const widths = kept.map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => kept.map((column, at) => (row[column] ?? "").padStart(widths[at] ?? 0)).join(gap));
}

function figuresOf({ calls, input, cacheRead, output, usd: price, unpriced, isAtMost }: Sum): readonly string[] {
  const isUnknown = unpriced === calls;
  return [
    String(calls),
    tokens(input),
    input === 0 ? "-" : percent(cacheRead / input),
    tokens(output),
    isUnknown ? "unknown" : `${isAtMost ? "≤ " : ""}${usd(price)}`,
  ];
}
