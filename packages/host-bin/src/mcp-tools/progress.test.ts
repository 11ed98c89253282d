import { answerText } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { McpWorld } from "./testing/mcp-world.ts";

test("mcp-tools tells how far a call is, as its server says, without secrets and not what belongs to no call", async () => {
  await using world = await McpWorld.startFixture("tells-progress", { env: ["ACME_SECRET"] });
  const tool = await world.tool("x__echo");
  const told: unknown[] = [];
  const signal = new AbortController().signal;

  const first = Promise.withResolvers<void>();
  const running = tool.execute(
    {},
    {
      conversationId: "c",
      cwd: "/",
      signal,
      tellProgress: (progress) => {
        told.push(progress);
        first.resolve();
      },
    },
  );
  await first.promise;
  await world.go();

  expect(answerText(await running)).toBe("done");
  expect(await world.call("x__echo")).toBe("done"); // Where nobody follows, too.
  expect(told).toEqual([{ progress: 1, total: 2, message: "with [redacted:secret]\n\u001B[2J" }]);
});
