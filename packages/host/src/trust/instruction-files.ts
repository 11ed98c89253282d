import { isInside } from "@incipit/common/system";
import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** Names that common agents read. */
const fixed = [
  "AGENTS.md",
  "agents.md",
  "AGENTS.local.md",
  "CLAUDE.md",
  "CLAUDE.local.md",
  "GEMINI.md",
  "HEARTBEAT.md",
  ".claude/CLAUDE.md",
  ".github/copilot-instructions.md",
  ".cursorrules",
];

const folders: readonly { readonly path: string; readonly endings: readonly string[] }[] = [
  { path: ".agents", endings: [".md"] },
  { path: ".agents/commands", endings: [".md"] },
  { path: ".claude/agents", endings: [".md"] },
  { path: ".claude/commands", endings: [".md"] },
  { path: ".cursor/rules", endings: [".mdc", ".md"] },
];

/** The number of agents that the host reads, since the user confirms each. */
const maxOfFolder = 2_000;

interface InstructionFiles {
  /** Each may be of any type. */
  readonly names: readonly string[];
  readonly cut: readonly { readonly name: string; readonly reason: string }[];
}

export function instructionFiles(folder: string): InstructionFiles {
  const cut: { name: string; reason: string }[] = [];
  const inside = (place: string, toName: (entry: string) => string | undefined): readonly string[] => {
    const names = entriesOf(folder, place).flatMap((entry) => toName(join(place, entry)) ?? []);
    if (names.length > maxOfFolder)
      cut.push({ name: place, reason: `it has more than ${maxOfFolder}: only the first are used` });
    return names.slice(0, maxOfFolder);
  };
  const skills = [".agents", ".claude"].flatMap((place) =>
    inside(join(place, "skills"), (path) => join(path, "SKILL.md")),
  );
  const others = folders.flatMap(({ path: place, endings }) =>
    inside(place, (path) => (endings.some((ending) => path.endsWith(ending)) ? path : undefined)),
  );
  return { names: [...fixed, ...skills, ...others], cut };
}

function entriesOf(folder: string, place: string): readonly string[] {
  try {
    const path = realpathSync(join(folder, place));
    // Files behind a link to elsewhere are not part of the folder.
    if (!isInside(path, folder)) return [];
    return readdirSync(path).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  } catch {
    return [];
  }
}
