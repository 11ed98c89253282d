import { expect } from "bun:test";
import { testScreens } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";

testScreens(
  "two terminals and a program in one conversation, across hosts",
  { name: "together" },
  async ({ world, sit }) => {
    const { model } = world;
    const host = await world.host();
    const { id } = await host.createConversation({ cwd: world.work });
    model.enqueue({
      kind: "text",
      chunks: ["The moon pulls at the sea, ", "and the sea follows it."],
      gate: true,
    });
    const one = sit({ args: ["-s", id] });
    const other = sit({ args: ["-s", id] });
    await one.sees(/host is process[\s\S]*local\/test/);
    await other.sees("local/test");

    one.enter("Why are there tides?");
    await model.waitFor(({ waitingChunks }) => waitingChunks > 0);
    model.release();
    other.type("And when is low wa");
    await other.shows("The other one has asked, and its answer grows", {
      until: /at the sea,[\s\S]*low wa/,
      from: /^> Why/,
    });
    other.enter("ter?");
    await one.shows("What the second one sent waits in the first", {
      until: "1. And when is low water?",
      from: /^> Why/,
    });
    model.releaseAll();
    await one.sees("Reply 2");
    for await (const event of host.client.sendTurn(id, { input: "Is that all?" }))
      if (event.type === "turn-end") break;
    await other.shows("A program has asked, too", { until: /Reply 3[\s\S]* all$/, from: /^> Why/ });
    other.type(keys.ctrl("d"));
    await other.exited;
    await host[Symbol.asyncDispose]();
    await one.shows("The host has ended", { until: "The host is back", from: /^Reply 3/ });
    one.enter("Are you there?");
    await one.shows("It goes on in the terminal", { until: /Reply 4[\s\S]* all$/, from: /^Reply 3/ });

    const said = ["> Why are there tides?", "> And when is low water?", "Reply 2", "> Is that all?", "Reply 3"];
    const all = [...said, "> Are you there?", "Reply 4"];
    for (const [sitting, lines] of [
      [one, all],
      [other, said],
    ] as const)
      expect(
        sitting
          .everything()
          .split("\n")
          .filter((line) => all.includes(line)),
      ).toEqual([...lines]);
  },
);
