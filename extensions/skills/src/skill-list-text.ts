import type { Settings } from "./configuration.ts";
import { skillToolName } from "./skill-tool-name.ts";

const opening = `A skill is a set of instructions for certain tasks. When a task is one of those that a skill below is for, open it first with the tool "${skillToolName}", and follow what it says.`;

interface ListText {
  readonly text: string | null;
  readonly listed: number;
}

/**
 * Byte-identical for the same skills.
 * @param skills Sorted by name.
 */
export function skillListText(
  skills: readonly { readonly name: string; readonly description: string }[],
  { maxListed, maxListBytes }: Pick<Settings, "maxListed" | "maxListBytes">,
): ListText {
  if (skills.length === 0) return { text: null, listed: 0 };
  const lines: string[] = [];
  let sizeBytes = Buffer.byteLength(opening);
  for (const { name, description } of skills.slice(0, maxListed)) {
    const line = `- ${name}: ${description}`;
    sizeBytes += Buffer.byteLength(line) + 1;
    if (sizeBytes > maxListBytes) break;
    lines.push(line);
  }
  const left = skills.length - lines.length;
  const rest =
    left === 0 ? [] : [`(${left === 1 ? "1 more skill is" : `${left} more skills are`} not listed here.)`];
  return { text: [opening, "", ...lines, ...rest].join("\n"), listed: lines.length };
}
