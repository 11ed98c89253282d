import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { parseConfig } from "../../config/parse-config.ts";
import { createHost } from "../../create-host.ts";
import { UsageError } from "../registry/usage-error.ts";
import { runCommand } from "../testing/run-command.ts";

test("an empty or blank prefix matches no conversation, call, approval or question", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const text = `listen.port = 0\nmodel = "local/test"\ntools.workspace = true\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"`;
  await using host = await createHost({
    config: parseConfig(text, "test"),
    dataFolder: `${folder.path}/data`,
    cwd: folder.path,
    env: {},
    writeLog: () => undefined,
  });
  const client = createClient(host);
  const run = async (...argv: readonly string[]): Promise<unknown> =>
    runCommand(argv, { client }).catch((error: unknown) => error);
  const call = (id: string, command: string) =>
    ({ kind: "tool-calls", calls: [{ id, name: "shell", arguments: JSON.stringify({ command }) }] }) as const;
  model.enqueue(call("one", "ls -a"), call("two", "touch b"));
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  const params = { id: conversation.id };
  const ends: unknown[] = [];
  const refused: unknown[] = [];

  for await (const event of client.sendTurn(conversation.id, { input: "Do it now" })) {
    if (event.type === "approval-end") ends.push(event.decision);
    if (event.type !== "approval-request") continue;
    if (event.toolCallId === "one") {
      const body = { decision: "allow-always", scope: "prefix" } as const;
      await client.call(routes.answerApproval, { params: { ...params, approvalId: event.approvalId }, body });
      continue;
    }
    for (const nothing of ["", "  "])
      refused.push(
        await run("stop", nothing),
        await run("approve", params.id, "allow", nothing),
        await run("approve", params.id, "take-back", nothing),
        await run("answer", params.id, "decline", nothing),
      );
    await run("approve", params.id, "deny", event.approvalId.slice(0, -2));
  }

  const names = ["an id or a title", "the id of a waiting call", "the id of a permanent approval"];
  const told = [...names, "the id of an open question"];
  expect(refused).toEqual(Array.from({ length: refused.length }, () => expect.any(UsageError)));
  expect(refused.map(String)).toEqual(
    ["", "  "].flatMap((nothing) =>
      told.map((name) => expect.stringContaining(`"${nothing}" names nothing: write the beginning of ${name}; `)),
    ),
  );
  expect(ends).toEqual(["allow-always", "deny"]);
  const { allowed } = await client.call(routes.listAllowed, { params });
  expect(allowed).toMatchObject([{ grants: ["shell(ls:*)"] }]);
});
