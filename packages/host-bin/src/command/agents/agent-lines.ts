import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";
import type { ProfileSource } from "@incipit/schema";
import type { Profile } from "@incipit/transport-contract";
import { filled } from "../output/fitted.ts";

const maxDescription = 80;

export function agentLines(
  agent: Profile,
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): readonly string[] {
  const { name, description, model, problem, source, shadowed, warnings } = agent;
  const said = description === null ? "" : clippedLine(description, { maxCharacters: maxDescription });
  const alone = [escapeHiddenLine(name), source.tier, ...(model === null ? [] : [escapeHiddenLine(model)]), said];
  const cells = [
    filled(escapeHiddenLine(name), 20),
    source.tier.padEnd(13),
    filled(escapeHiddenLine(model ?? "-"), 28),
    said,
  ];
  return [
    (isAlone ? alone : cells).join("  ").trimEnd(),
    ...(problem === null ? [] : [`  its model cannot be used: ${problem}`]),
    ...warnings.map((warning) => `  ${warning}`),
    ...shadowed.map(({ path, line, reason }) => `  does not count: ${sourceText({ path, line })}: ${reason}`),
  ];
}

export function sourceText({ path, line }: Pick<ProfileSource, "path" | "line">): string {
  if (path === null) return "the configuration";
  return line === null ? path : `${path}, line ${line}`;
}
