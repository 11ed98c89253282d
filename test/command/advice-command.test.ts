import { expect, test } from "bun:test";
import { newTerminalWorld } from "../terminal/terminal-world.ts";

const id = "01a1fcd7-5c9a-7556-afda-76769002c75c";

const failing: readonly (readonly string[])[] = [
  ["-s", id, "Hello there"],
  ["audit", id],
  ["record", "show", id],
  ["prompt", "show", "7"],
  ["conversations", "history", id],
  ["queue", id],
  ["schedules", "run", "x"],
  ["channels", "pair", "x"],
  ["agents", "show", "x"],
  ["token", "revoke", id],
  ["token", "list"],
  ["adit"],
];

function commandsIn(text: string): readonly (readonly string[])[] {
  const quoted = [...text.matchAll(/"incipit ([a-z][^"]*)"|\bincipit ([a-z ]+?)(?: lists them)?$/gm)];
  return quoted.map(([, inQuotes, atEnd]) => (inQuotes ?? atEnd ?? "").split(" "));
}

test("[trial:wrong-advice] commands in error messages work when entered", async () => {
  await using world = await newTerminalWorld();
  const advised = new Map<string, readonly string[]>();
  for (const words of failing) {
    const { stderr } = await world.run(words);
    for (const command of commandsIn(stderr.replaceAll(/ \[[A-Z_]+\]$/gm, "")))
      advised.set(command.join(" "), command);
  }

  expect([...advised.keys()].toSorted()).toEqual([
    "agents",
    "channels",
    "conversations",
    "prompt versions",
    "schedules",
    "token",
    "token list",
  ]);
  for (const words of advised.values()) expect([words, (await world.run(words)).exitCode]).toEqual([words, 0]);
}, 300_000);
