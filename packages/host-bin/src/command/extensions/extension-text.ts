import type { CapabilitiesInfo, ExtensionInfo, SwapReportInfo } from "@incipit/transport-contract";
import { describeGrant } from "@incipit/host/grants";
import { escapeHiddenLine } from "@incipit/schema/text";

const columns = [
  { name: "id", width: 22 },
  { name: "version", width: 8 },
  { name: "phase", width: 8 },
  { name: "gen", width: 4 },
  { name: "since (UTC)", width: 19 },
  { name: "calls", width: 5 },
  { name: "granted", width: 21 },
  { name: "used by", width: 24 },
] as const;

export const listLead: number = columns.slice(0, -1).reduce((sum, { width }) => sum + width + 1, 0);

export const listHeader: string = columns
  .map(({ name, width }) => name.padEnd(width))
  .join(" ")
  .trimEnd();

interface LineOptions {
  readonly isNamed?: boolean;
  readonly isScreen?: boolean;
}

export function lineOf(
  extension: ExtensionInfo,
  { isNamed = false, isScreen = isNamed }: LineOptions = {},
): string {
  const { waitsFor, lastError, lastSwap, refusals, draining } = extension;
  const cells = [
    extension.id,
    extension.version,
    extension.phase,
    `#${extension.generation}`,
    extension.since.slice(0, 19).replace("T", " "),
    String(extension.callsInFlight),
    powersOf(extension).join(isNamed ? ", " : ",") || "-",
    extension.usedBy.join(isScreen ? ", " : ",") || "-",
  ];
  const remarks = [
    ...(waitsFor.length === 0 ? [] : [`waits for ${waitsFor.join(", ")}`]),
    ...(draining === null
      ? []
      : [`generation ${draining.generation} drains (${count(draining.callsInFlight, "call")})`]),
    ...(refusals.count === 0 ? [] : [count(refusals.count, "refusal")]),
    ...(extension.isCodeChanged ? ["its code has changed since it was added"] : []),
    ...(lastSwap === null ? [] : [`last swap: ${lastSwap.outcome}`]),
    ...(lastError === null ? [] : [lastError.message]),
  ];
  if (isNamed) return [...cells.map(named), ...remarks].join("  ");
  const line = columns.map(({ width }, index) => (cells[index] ?? "").padEnd(width)).join(" ");
  return `${line} ${remarks.join("; ")}`.trimEnd();
}

function named(cell: string, index: number): string {
  if (index < 3) return cell;
  const name = columns[index]?.name;
  if (name === "gen") return `generation ${cell.slice(1)}`;
  return `${name ?? ""} ${cell === "-" ? noneOf[name === "used by" ? "usedBy" : "granted"] : cell}`;
}

const noneOf = { granted: "nothing", usedBy: "nobody" } as const;

export const detailsLead = 17;

export function detailsOf(extension: ExtensionInfo): string {
  const { id, version, trust, path, phase, generation, since, refusals, lastError, lastSwap } = extension;
  const rows: (readonly [string, string])[] = [
    ["id", id],
    ["version", version],
    ["from", path ?? "the host"],
    ...(extension.isCodeChanged
      ? [["code", `has changed since it was added; incipit extensions swap ${id} takes it`] as const]
      : []),
    ["trust", trust],
    ["phase", `${phase} since ${since}`],
    ["generation", String(generation)],
    ["calls in flight", String(extension.callsInFlight)],
    ...list("provides", extension.provides),
    ...list("requires", extension.requires),
    ...list("uses", extension.uses),
    ...list("contributes to", extension.contributes),
    ...list("reads", extension.reads),
    ...list("waits for", extension.waitsFor),
    ...list("used by", extension.usedBy),
    ...lines("asks for", wordsOf(extension.asked)),
    ...lines("was granted", wordsOf(extension.granted)),
    ...lines(
      "was refused",
      refusals.latest.map((refusal) => `${refusal.count} x ${refusal.message}`),
    ),
    ...(lastError === null ? [] : [["last error", `${lastError.code}: ${lastError.message}`] as const]),
    ...(lastSwap === null ? [] : [["last swap", `${describeSwap(id, lastSwap)}, at ${lastSwap.at}`] as const]),
  ];
  return rows.map(([name, value]) => `${name.padEnd(detailsLead)}${escapeHiddenLine(value)}\n`).join("");
}

export function describeSwap(id: string, report: SwapReportInfo): string {
  const { outcome, from, to, drained, cut, tookMs, error } = report;
  const name = ({ version, generation }: SwapReportInfo["from"]): string => `${version} (#${generation})`;
  const calls = `${count(drained, "call")} ended, ${cut} cut, ${Math.round(tookMs)} ms`;
  const why = error === undefined ? "" : `: ${error.message}`;
  switch (outcome) {
    case "swapped":
      return `Swapped "${id}" from ${name(from)} to ${name(to)}: ${calls}`;
    case "loaded":
      return `Loaded "${id}" ${name(to)}`;
    case "kept-old":
      return `Kept "${id}" ${name(from)}, which never stopped: ${name(to)} did not start${why}`;
    case "restored-old":
      return `Started "${id}" ${from.version} again: ${name(to)} did not start${why}`;
    case "failed":
      return `"${id}" has stopped: neither ${name(to)} nor ${from.version} started${why}`;
  }
}

/** `show` lists services and extension points. */
function powersOf({ granted }: ExtensionInfo): readonly string[] {
  const { uses: _uses, provides: _provides, contributes: _contributes, reads: _reads, ...capabilities } = granted;
  return Object.keys(capabilities).toSorted();
}

function wordsOf(capabilities: CapabilitiesInfo): readonly string[] {
  return describeGrant(capabilities);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function list(name: string, values: readonly string[]): readonly (readonly [string, string])[] {
  return values.length === 0 ? [] : [[name, values.join(", ")]];
}

function lines(name: string, values: readonly string[]): readonly (readonly [string, string])[] {
  return values.map((value, index) => [index === 0 ? name : "", value]);
}
