import { usages } from "./usages.ts";

/** What a command does, such as `drift`, without the command that it belongs to: `conversations drift`. In the order of the help. */
export function commandsWithAction(action: string): readonly string[] {
  const found = usages.flatMap(([usage]) => {
    const [, command = "", actions = ""] = /^([a-z]+) ([a-z|-]+)(?: |$)/.exec(usage) ?? [];
    return actions.split("|").includes(action) ? [`${command} ${action}`] : [];
  });
  return [...new Set(found)];
}
