import { answerText } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { McpWorld } from "./testing/mcp-world.ts";

test("mcp-tools forwards progress of the running call only, with secrets redacted", async () => {
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
  expect(await world.call("x__echo")).toBe("done");
  expect(told).toEqual([{ progress: 1, total: 2, message: "with [redacted:secret]\n\u001B[2J" }]);
});
