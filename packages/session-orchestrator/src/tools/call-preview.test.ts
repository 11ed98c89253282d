import { FakeClock } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { previewOf } from "./call-preview.ts";
import { call, callOne, createWorld, type Decision } from "../testing/test-world.ts";
import { newTool } from "../testing/new-tool.ts";

type Preview = NonNullable<Tool["preview"]>;

function tool(preview?: Preview): Tool {
  return newTool("edit", preview === undefined ? {} : { preview });
}

async function told(preview?: Preview, clock = new FakeClock()): Promise<string | undefined> {
  const { signal } = new AbortController();
  const found = await previewOf(tool(preview), { n: 1 }, { conversationId: "c", cwd: "/work", clock, signal });
  return found?.text;
}

test("previewOf returns the tool's preview, or undefined", async () => {
  const seen: unknown[] = [];
  const preview: Preview = async (input, { conversationId, cwd }) => {
    seen.push(input, conversationId, cwd);
    return "a diff";
  };

  expect([await told(preview), await told()]).toEqual(["a diff", undefined]);
  expect(seen).toEqual([{ n: 1 }, "c", "/work"]);
});

test("previewOf describes the failure of a tool that throws, returns no string, or times out", async () => {
  const clock = new FakeClock();
  let isAborted = false;
  const late = told(async (_, { signal }) => {
    signal.addEventListener("abort", () => (isAborted = true));
    return new Promise<string>(() => {});
  }, clock);
  await clock.advance(5_000);
  const noText: Preview = async () => JSON.parse("7");
  const fails = (): never => {
    throw new Error("no such file");
  };

  expect(await late).toBe('"edit" did not say in time what it would change');
  expect(isAborted).toBe(true);
  expect(await told(async () => fails())).toBe('"edit" cannot say what it would change: no such file');
  expect(await told(fails)).toBe('"edit" cannot say what it would change: no such file');
  expect(await told(noText)).toContain("cannot say what it would change");
});

test("previewOf truncates a long preview and states the missing length", async () => {
  const text = await told(async () => "x".repeat(300_000));

  expect(text?.slice(262_140)).toBe("xxxx\n[cut: 37856 more characters]");
});

test("approval-request and the open approval include the preview; allowed calls compute none", async () => {
  let previews = 0;
  await using world = await createWorld({ tools: [tool(async () => `diff ${(previews += 1)}`)] });
  world.scripts.push(callOne("edit"), callOne("edit"));
  const { id } = await world.conversations.create({});
  const asked: unknown[] = [];
  await world.approve(
    async ({ preview }): Promise<Decision> => {
      asked.push(preview, (await world.conversations.get(id)).approvals[0]?.preview);
      return "allow-always";
    },
    { id },
  );

  expect(asked).toEqual(["diff 1", "diff 1"]);
  expect(previews).toBe(1);
});

test("a call allowed during its preview needs no approval", async () => {
  const answered = Promise.withResolvers<string>();
  let previews = 0;
  const preview: Preview = async () => ((previews += 1) === 1 ? "diff" : answered.promise);
  await using world = await createWorld({ tools: [tool(preview)] });
  const calls = ["1", "2"].map((toolCallId) => ({ toolCallId, name: "edit", input: "{}" }));
  const allow = (): Decision => {
    answered.resolve("diff");
    return "allow-always";
  };
  const { requests } = await world.approve(allow, { script: () => call(...calls) });

  expect([requests.length, previews]).toEqual([1, 2]);
});

test("the tool message keeps the preview of a successful allowed call only", async () => {
  const fails = (): never => {
    throw new Error("no");
  };
  const tools = [
    tool(async () => "a diff"),
    { ...tool(async () => "another diff"), name: "denied" },
    { ...tool(async () => "a third"), name: "failed", execute: fails },
  ];
  await using world = await createWorld({ tools });
  const calls = tools.map(({ name }, index) => ({ toolCallId: String(index), name, input: "{}" }));
  const { id } = await world.approve(({ name }) => (name === "denied" ? "deny" : "allow"), {
    script: () => call(...calls),
  });

  const { items } = await world.records.messages(id, { limit: 10 });
  expect(items.map(({ previews }) => previews)).toEqual([
    undefined,
    undefined,
    [{ toolCallId: "0", preview: "a diff" }],
    undefined,
  ]);
});
