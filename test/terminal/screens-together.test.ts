import { createClient, routes } from "@incipit/transport-contract";
import { test } from "bun:test";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

for (const columns of recordedWidths("screens-together"))
  test.concurrent(`two terminals and a program in one conversation, across hosts, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld();
    await using screens = await RecordedScreens.of({ world, columns, name: "together" });
    const { model } = world;
    const host = await HostProcess.start({
      data: join(world.home, ".local/share/incipit"),
      config: join(world.home, ".config/incipit/incipit.toml"),
      cwd: world.work,
    });
    const client = createClient({ url: host.url, token: host.token });
    const { conversation } = await client.call(routes.createConversation, { body: { cwd: world.work } });
    const { id } = conversation;
    model.enqueue({
      kind: "text",
      chunks: ["The moon pulls at the sea, ", "and the sea follows it."],
      gate: true,
    });
    const one = world.sit({ args: ["-s", id], columns });
    const other = world.sit({ args: ["-s", id], columns });
    await one.sees(/host is process[\s\S]*local\/test/);
    await other.sees("local/test");

    one.enter("Why are there tides?");
    await model.waitFor(({ waitingChunks }) => waitingChunks > 0);
    model.release();
    other.type("And when is low wa");
    await screens.shows(other, "The other one has asked, and its answer grows", {
      until: /at the sea,[\s\S]*low wa/,
      from: /^> Why/,
    });
    other.enter("ter?");
    await screens.shows(one, "What the second one sent waits in the first", {
      until: "1. And when is low water?",
      from: /^> Why/,
    });
    model.releaseAll();
    await one.sees("Reply 2");
    for await (const event of client.sendTurn(id, { input: "Is that all?" })) if (event.type === "turn-end") break;
    await screens.shows(other, "A program has asked, too", { until: /Reply 3[\s\S]* all$/, from: /^> Why/ });
    other.type(keys.ctrl("d"));
    await other.exited;
    await host[Symbol.asyncDispose]();
    await screens.shows(one, "The host has ended", { until: "The host is back", from: /^Reply 3/ });
    one.enter("Are you there?");
    await screens.shows(one, "It goes on in the terminal", { until: /Reply 4[\s\S]* all$/, from: /^Reply 3/ });
  }, 120_000);
