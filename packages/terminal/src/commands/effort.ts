import { reasoningEffortSchema, type ReasoningEffort } from "@incipit/schema";
import { escapeHidden } from "@incipit/schema/text";
import type { TerminalSession } from "../session/terminal-session.ts";
import type { Choice, CommandContext, TerminalCommand } from "./command.ts";

/** Selects the provider's default. */
const none = "default";

export const effort: TerminalCommand = {
  name: "effort",
  summary: "shows or sets the reasoning effort; default: the vendor's",
  argument: "[LEVEL]",
  complete: async ({ session }) => choicesOf(session),
  async run({ session, choose, tell }, argument) {
    const levels = effortsOf(session);
    if (levels.length === 0) return tell(`${session.model ?? "The model"} does not support reasoning effort`);
    const current = session.effort ?? none;
    const chosen =
      argument === "" ? await choose("Which reasoning effort?", choicesOf(session), { current }) : argument;
    if (chosen === undefined || chosen === current) return;
    const level = levels.find((one) => one === chosen);
    if (level === undefined && chosen !== none) return tell(unknownEffort(session, chosen), "warning");
    await setEffort({ session, tell }, level);
  },
};

export async function cycleEffort({ session, tell }: Pick<CommandContext, "session" | "tell">): Promise<void> {
  const levels = effortsOf(session);
  if (levels.length === 0) return tell(`${session.model ?? "The model"} does not support reasoning effort`);
  const at = session.effort === undefined ? -1 : levels.indexOf(session.effort);
  await session.setEffort(levels[at + 1]);
}

export function effortsOf({ facts }: Pick<TerminalSession, "facts">): readonly ReasoningEffort[] {
  return facts?.reasoningEfforts ?? reasoningEffortSchema.options;
}

async function setEffort(
  { session, tell }: Pick<CommandContext, "session" | "tell">,
  level: ReasoningEffort | undefined,
): Promise<void> {
  await session.setEffort(level);
  const what = level === undefined ? "The vendor's default effort" : `Effort "${level}"`;
  const hasSaid = (session.conversation?.lastSeq ?? 0) > 0;
  tell(`${what} from the next call on${hasSaid ? "; with some vendors the next call misses the cache" : ""}`);
}

function unknownEffort(session: Pick<TerminalSession, "facts" | "model">, level: string): string {
  const known = [...effortsOf(session), none].join(", ");
  return `Nothing was changed: ${session.model ?? "the model"} has no effort ${escapeHidden(JSON.stringify(level))}; choose ${known}`;
}

function choicesOf(session: Pick<TerminalSession, "facts">): readonly Choice[] {
  return [{ value: none, label: none, description: "the vendor's default" }, ...effortsOf(session).map(choiceOf)];
}

function choiceOf(level: ReasoningEffort): Choice {
  return { value: level, label: level };
}
