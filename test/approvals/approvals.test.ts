import { errorResponseSchema, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { parseEvents } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";
import { World } from "../support/world.ts";

const manifest = { id: "acme.writer", version: "1.0.0", api: "^1", contributes: ["tools@1"] };
const code = `import { defineExtension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";

let runs = 0;

export default defineExtension(${JSON.stringify(manifest)}, (host) => {
  host.contribute(toolsPoint, {
    name: "write",
    description: "Writes",
    inputSchema: { type: "object" },
    execute: async () => "ran " + (runs += 1),
  });
});
`;

class Approvals extends World {
  static begin(): Promise<Approvals> {
    return Approvals.start({
      config: 'extensions.paths = ["../../writer"]',
      files: {
        "../writer/package.json": JSON.stringify({ type: "module", incipit: manifest }),
        "../writer/src/index.ts": code,
      },
    });
  }

  enqueueCalls(count: number): void {
    const calls = Array.from({ length: count }, (_, index) => ({
      id: `call ${index}`,
      name: "write",
      arguments: `{"n": ${index}}`,
    }));
    this.model.enqueue({ kind: "tool-calls", calls });
    this.model.enqueueText("Done.");
  }
}

function resultsIn({ lastBody }: World): readonly string[] {
  return lastBody.match(/"role":"tool","tool_call_id":"[^"]+","content":"[^"]+/g) ?? [];
}

async function errorOf(response: Promise<Response>): Promise<unknown> {
  const received = await response;
  return { status: received.status, ...errorResponseSchema.parse(await received.json()).error };
}

test("[never-lost] [byte-prefix] a call pending at a kill gets one result, and late answers are rejected", async () => {
  await using world = await Approvals.begin();
  const killed = await world.host();
  const { id } = await killed.createConversation();
  world.enqueueCalls(2);
  await killed.send(id, "go");
  let asked = 0;
  for await (const event of killed.client.followEvents(id, { afterSeq: 0 })) {
    if (event.type === "approval-request") asked += 1;
    if (asked === 2) break;
  }
  const { approvals } = await killed.conversation(id);
  expect(approvals).toMatchObject([{ name: "write", input: '{"n": 0}' }, { input: '{"n": 1}' }]);
  await killed.kill("SIGKILL");
  const host = await world.host();
  const conversation = await host.conversation(id);
  const answers = approvals.map(({ approvalId }) =>
    errorOf(host.fetch(`/conversations/${id}/approvals/${approvalId}`, { body: { decision: "allow" } })),
  );
  world.model.enqueueText("On.");
  const events = await host.turn(id, { input: "on" });

  expect(conversation).toMatchObject({ status: "idle", approvals: [] });
  for (const answer of answers) expect(await answer).toMatchObject({ status: 409, code: "APPROVAL_ENDED" });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(resultsIn(world)).toEqual(
    [0, 1].map((n) => expect.stringMatching(new RegExp(`"call ${n}".*it was not run`))),
  );
  const [first = "", second = ""] = world.bodies;
  expect(second).toStartWith(prefixOf(first));
}, 300_000);

test("answerApproval over HTTP allows a call, and distinguishes invalid, unknown and closed ones", async () => {
  await using world = await Approvals.begin();
  const host = await world.host();
  const { id } = await host.createConversation();
  const { client } = host;
  const nobody = "01a1fcd7-5c9a-7556-afda-76769002c75c";
  const answer = (approvalId: string, decision: string): Promise<Response> =>
    host.fetch(`/conversations/${id}/approvals/${approvalId}`, { body: { decision } });
  world.enqueueCalls(1);
  const codes: unknown[] = [];
  for await (const event of client.sendTurn(id, { input: "go" })) {
    if (event.type !== "approval-request") continue;
    const params = { id, approvalId: event.approvalId };
    codes.push(
      await errorOf(answer(event.approvalId, "maybe")),
      await errorOf(answer(nobody, "allow")),
      await errorOf(answer("nonsense", "allow")),
      await client.call(routes.answerApproval, { params, body: { decision: "allow" } }),
      await errorOf(answer(event.approvalId, "allow")),
    );
  }

  expect(codes).toMatchObject([
    { status: 400, code: "INVALID_REQUEST" },
    { status: 404, code: "APPROVAL_UNKNOWN" },
    { status: 404, code: "APPROVAL_UNKNOWN" },
    { decision: "allow" },
    { status: 409, code: "APPROVAL_ENDED" },
  ]);
  expect(resultsIn(world)).toEqual([expect.stringContaining("ran 1")]);
}, 300_000);

test("incipit denies without a terminal and explains how to allow the call", async () => {
  await using world = await Approvals.begin();
  world.enqueueCalls(1);
  const result = await world.run(["--json", "Go"]);

  expect(result).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("incipit approve ") });
  const [, ...events] = result.stdout.trim().split("\n");
  expect(parseEvents(events.map((line) => `data: ${line}\n`).join(""))).toContainEqual(
    expect.objectContaining({ type: "approval-end", decision: "deny", reason: "unattended" }),
  );
  expect(resultsIn(world)).toEqual([expect.stringContaining("Nobody is there")]);
}, 300_000);

test("incipit at a terminal runs a call after y, denies otherwise, and sanitizes its text", async () => {
  await using world = await Approvals.begin();
  world.model.enqueue(
    {
      kind: "tool-calls",
      calls: [
        { id: "call 0", name: "write", arguments: '{"n":\n 0}' },
        { id: "call 1", name: "write", arguments: '{"n": 1}' },
      ],
    },
    { kind: "text", chunks: ["Done."] },
  );
  const { exitCode, screen } = await world.atTerminal(
    ["Go"],
    [
      ["[y/N/always] ", "y\r"],
      ["[y/N/always] ", "\r"],
    ],
  );

  expect(exitCode).toBe(3);
  expect(screen).toContain('The model calls "write" of extension "acme.writer" with\r\n│ n: 0\r\n');
  expect(screen).toContain("Done.");
  expect(resultsIn(world)).toEqual([expect.stringContaining("ran 1"), expect.stringContaining("denied")]);
}, 300_000);

test("incipit chat shows approvals inline, and none after always", async () => {
  await using world = await Approvals.begin();
  world.enqueueCalls(2);
  world.enqueueCalls(1);
  const { exitCode, screen } = await world.atTerminal(
    ["chat"],
    [
      ["> ", "go\r"],
      ["[y/N/always] ", "always\r"],
      ["Done.", "again\r"],
      ["Done.", "\r"],
    ],
  );

  expect(exitCode).toBe(0);
  expect(screen.match(/Done\./g)).toHaveLength(2);
  expect(resultsIn(world).at(-1)).toContain("ran 3");
}, 300_000);

test("incipit: Ctrl-C at a question stops the turn, and nothing runs", async () => {
  await using world = await Approvals.begin();
  world.enqueueCalls(1);
  const { exitCode } = await world.atTerminal(["Go"], [["[y/N/always] ", "\x03"]]);

  expect(exitCode).toBe(130);
  expect(world.model.requests).toHaveLength(1);
}, 300_000);

test("a message queued behind a question is listed and can be removed", async () => {
  await using world = await Approvals.begin();
  const host = await world.host();
  const { id } = await host.createConversation();
  const { client } = host;
  world.enqueueCalls(1);
  await host.send(id, "go");
  const queues: unknown[] = [];
  let waiting: Promise<Response> | undefined;
  for await (const event of client.followEvents(id, { afterSeq: 0, signal: AbortSignal.timeout(120_000) })) {
    if (event.type === "turn-start")
      waiting = host.fetch(`/conversations/${id}/turns`, { body: { input: "next" } });
    if (event.type !== "turn-queue") continue;
    const params = { id, turnId: event.turnId };
    queues.push(await client.call(routes.getQueue, { params: { id } }));
    queues.push(await client.call(routes.removeQueuedTurn, { params }));
    queues.push(await errorOf(host.fetch(`/conversations/${id}/queue/${event.turnId}`, { method: "DELETE" })));
    break;
  }
  const events = parseEvents((await (await waiting)?.text()) ?? "");

  expect(queues).toMatchObject([
    { queue: [{ input: "next", position: 1 }] },
    { queue: [] },
    { status: 404, code: "TURN_NOT_QUEUED" },
  ]);
  expect(events.map(({ type }) => type)).toEqual(["turn-queue", "turn-end"]);
}, 300_000);
