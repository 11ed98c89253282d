import { describeCapabilities, type ContractGrants, type ContractUse, type Grant } from "@incipit/kernel";
import { pointPowers, servicePowers, type ContractPower } from "@incipit/service-contract";

const uses = ["uses", "provides", "contributes", "reads"] as const satisfies readonly ContractUse[];

const plainWords = {
  uses: "uses",
  provides: "provides",
  contributes: "adds to",
  reads: "reads",
} as const satisfies Record<ContractUse, string>;

/** Items that need confirmation come first. */
export function describeGrant(grant: Grant): readonly string[] {
  return [...questionsOf(grant), ...wordsOf(unasked(grant))];
}

export function questionsOf(grant: Grant): readonly string[] {
  const contracts = only(grant, isAsked);
  return [...describeCapabilities(grant), ...wordsOf(contracts)];
}

export function unasked(grant: ContractGrants): ContractGrants {
  return only(grant, (use, id) => !isAsked(use, id));
}

export function withContracts(grant: Grant, more: ContractGrants): Grant {
  const added: { [use in ContractUse]?: readonly string[] } = {};
  for (const use of uses)
    if (more[use] !== undefined) added[use] = [...new Set([...(grant[use] ?? []), ...more[use]])];
  return { ...grant, ...added };
}

export function underOtherKeys(more: ContractGrants, grant: ContractGrants): ContractGrants {
  return only(more, (use) => grant[use] === undefined);
}

function only(grant: ContractGrants, isWanted: (use: ContractUse, id: string) => boolean): ContractGrants {
  const kept: { [use in ContractUse]?: readonly string[] } = {};
  for (const use of uses) {
    const ids = grant[use]?.filter((id) => isWanted(use, id)) ?? [];
    if (ids.length > 0) kept[use] = ids;
  }
  return kept;
}

/** Two contracts may have the same description. */
function wordsOf(grant: ContractGrants): readonly string[] {
  return [...new Set(uses.flatMap((use) => (grant[use] ?? []).map((id) => wordOf(use, id))))];
}

function wordOf(use: ContractUse, id: string): string {
  const power = powerOf(use, id);
  if (power === undefined) return `${plainWords[use]} ${id}`;
  return `${"ask" in power ? power.ask : power.tell} (${plainWords[use]} ${id})`;
}

function isAsked(use: ContractUse, id: string): boolean {
  const power = powerOf(use, id);
  return power !== undefined && "ask" in power;
}

const services = new Map(Object.entries(servicePowers));
const points = new Map(Object.entries(pointPowers));

/** `undefined` for contracts of other vendors. */
function powerOf(use: ContractUse, id: string): ContractPower | undefined {
  switch (use) {
    case "uses":
    case "provides":
      return services.get(id)?.[use];
    case "contributes":
    case "reads":
      return points.get(id)?.[use];
  }
}
