import type { Cost } from "@incipit/schema";

export type CostSum = Pick<Cost, "calls" | "broken" | "tokens" | "unreported" | "usd" | "unpriced">;

export interface NamedSum<Name> extends CostSum {
  readonly name: Name;
}

const nothing: CostSum = {
  calls: 0,
  broken: 0,
  tokens: { input: 0, cacheRead: 0, output: 0 },
  unreported: 0,
  usd: { total: 0, wasted: 0 },
  unpriced: 0,
};

export function sumOf(costs: readonly CostSum[]): CostSum {
  return costs.reduce(added, nothing);
}

export function sumsBy<Name>(
  costs: readonly Cost[],
  { key, name }: { readonly key: (cost: Cost) => string; readonly name: (cost: Cost) => Name },
): readonly NamedSum<Name>[] {
  const sums = new Map<string, NamedSum<Name>>();
  for (const cost of costs) {
    const known = sums.get(key(cost));
    sums.set(key(cost), { name: known?.name ?? name(cost), ...added(known ?? nothing, cost) });
  }
  return [...sums.values()];
}

function added(one: CostSum, other: CostSum): CostSum {
  return {
    calls: one.calls + other.calls,
    broken: one.broken + other.broken,
    tokens: {
      input: one.tokens.input + other.tokens.input,
      cacheRead: one.tokens.cacheRead + other.tokens.cacheRead,
      output: one.tokens.output + other.tokens.output,
    },
    unreported: one.unreported + other.unreported,
    usd: {
      total: one.usd.total + other.usd.total,
      wasted: one.usd.wasted + other.usd.wasted,
      ...(one.usd.isAtMost === true || other.usd.isAtMost === true ? { isAtMost: true } : {}),
    },
    unpriced: one.unpriced + other.unpriced,
  };
}
