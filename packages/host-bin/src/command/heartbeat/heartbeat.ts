import { suggestion } from "@incipit/common/suggestion";
import { routes, type Client } from "@incipit/transport-contract";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";
import { heartbeatLine, wakeLine } from "./heartbeat-line.ts";

const actions = ["show", "wake", "history"] as const;

export async function heartbeat(client: Client, args: Arguments, output: Output): Promise<number> {
  const action = understood(args);
  const { outLine, outRow, errLine } = output;
  const show = <Shown>(shown: Shown, line: (shown: Shown) => string): void =>
    args.isJson ? outLine(JSON.stringify(shown)) : outRow(line(shown));
  const tell = (sentence: string): void => {
    if (!args.isJson) errLine(sentence);
  };
  switch (action) {
    case "show": {
      const { heartbeat: found } = await client.call(routes.getHeartbeat);
      show(found, heartbeatLine);
      if (!found.enabled) tell("To turn it on, write [heartbeat] enabled = true into incipit.toml");
      return 0;
    }
    case "wake": {
      show((await client.call(routes.wakeHeartbeat)).wake, wakeLine);
      tell("What comes of it: incipit heartbeat history");
      return 0;
    }
    case "history": {
      let count = 0;
      for (let cursor: string | undefined; ;) {
        const page = await client.call(routes.listHeartbeatWakes, {
          query: cursor === undefined ? {} : { cursor },
        });
        for (const wake of page.wakes) show(wake, wakeLine);
        count += page.wakes.length;
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      if (count === 0) tell("It has woken nobody yet; to wake it now: incipit heartbeat wake");
      return 0;
    }
  }
}

function understood({ words }: Arguments): (typeof actions)[number] {
  const [word = "show", stray] = words;
  const action = actions.find((known) => known === word);
  if (action === undefined) throw new UsageError(`There is no "heartbeat ${word}"${suggestion(word, actions)}`);
  if (stray !== undefined) throw new UsageError(`"heartbeat ${word}" takes no "${stray}"`);
  return action;
}
