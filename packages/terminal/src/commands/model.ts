import { nearestWord } from "@incipit/common/suggestion";
import { escapeHidden } from "@incipit/schema/text";
import type { Model } from "@incipit/transport-contract";
import { tokens } from "../status/amounts.ts";
import { effortsOf } from "./effort.ts";
import type { Choice, TerminalCommand } from "./command.ts";

export const model: TerminalCommand = {
  name: "model",
  summary: "switches the model",
  argument: "[PROVIDER/MODEL]",
  complete: async ({ session }) => session.models.map(choiceOf),
  async run({ session, choose, tell }, argument) {
    const before = session.model;
    const options = {
      empty: "No model is configured: run incipit setup",
      ...(before === undefined ? {} : { current: before }),
    };
    const title = "Which model? Prices are for 1M tokens.";
    const chosen = argument === "" ? await choose(title, session.models.map(choiceOf), options) : argument;
    if (chosen === undefined || chosen === before) return;
    if (!chosen.includes("/")) {
      tell(notAModel(chosen, session.models), "bad");
      return;
    }
    await session.setModel(chosen);
    const { effort } = session;
    if (effort !== undefined && !effortsOf(session).includes(effort))
      tell(`${chosen} does not support the effort "${effort}": /effort lists its levels`, "warning");
    const hasSaid = (session.conversation?.lastSeq ?? 0) > 0;
    tell(
      hasSaid
        ? `${chosen} answers from now on. Its first call has no cached prefix`
        : `${chosen} answers from now on`,
    );
  },
};

/** Returns the error for a name that is not PROVIDER/MODEL, which the host would reject only with the first message. */
function notAModel(name: string, models: readonly Model[]): string {
  const ids = models.map(({ id }) => id);
  const meant = ids.find((id) => id.endsWith(`/${name}`)) ?? nearestWord(name, ids);
  return `Nothing was changed: ${escapeHidden(name)} is not PROVIDER/MODEL${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

function choiceOf({ id, facts, isReady, problem }: Model): Choice {
  const window = facts?.contextWindow ?? null;
  const prices = facts?.prices ?? null;
  const description = isReady
    ? [
        ...(window === null ? [] : [`${tokens(window)} window`]),
        ...(prices === null ? [] : [`$${prices.input} in, $${prices.output} out`]),
      ].join(", ")
    : (problem ?? "not ready");
  return { value: id, label: id, description };
}
