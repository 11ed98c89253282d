import { usages } from "./usages.ts";

/** `drift` returns `conversations drift`. */
export function commandsWithAction(action: string): readonly string[] {
  const found = usages.flatMap(([usage]) => {
    const [, command = "", actions = ""] = /^([a-z]+) ([a-z|-]+)(?: |$)/.exec(usage) ?? [];
    return actions.split("|").includes(action) ? [`${command} ${action}`] : [];
  });
  return [...new Set(found)];
}
