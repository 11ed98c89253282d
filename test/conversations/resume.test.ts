import type { ConversationId } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { followed } from "../support/acknowledged.ts";
import { HostProcess, incipit } from "../support/host-process.ts";

test('[never-lost] resume = "ask" keeps the queue across SIGKILL and runs it on request', async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer({ isStrict: true });
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(options.config, `model = "local/test"\nresume = "ask"\n${provider}`);
  const leave = async (host: HostProcess): Promise<ConversationId> => {
    model.enqueue({ kind: "never" });
    const before = model.requests.length;
    const { id } = await host.createConversation();
    for (const input of ["one", "two", "three"])
      await host.json(`/conversations/${id}/turns`, { body: { input }, headers: { prefer: "respond-async" } });
    await model.waitForRequests(before + 1);
    return id;
  };
  const killed = await HostProcess.start(options);
  const [first, second] = [await leave(killed), await leave(killed)];
  await killed.kill("SIGKILL");

  await using host = await HostProcess.start(options);
  const client = createClient({ url: host.url, token: host.token });
  const { conversations } = await client.call(routes.listConversations, { query: { limit: 10 } });
  const { queue } = await client.call(routes.getQueue, { params: { id: first } });
  const { resumed } = await client.call(routes.resumeConversation, { params: { id: first } });
  let ends = 0;
  for await (const event of followed(client, first)) {
    ends += event.type === "turn-end" ? 1 : 0;
    if (ends === 3) break;
  }
  const command = ["-s", second, "four", "--data", options.data, "--config", options.config];
  const answered = await incipit(command, { cwd: folder.path, home: folder.path });

  expect(conversations.map(({ status }) => status)).toEqual(["waiting", "waiting"]);
  expect(queue.map(({ input }) => input)).toEqual(["two", "three"]);
  expect(resumed).toBe(2);
  expect(answered).toMatchObject({
    exitCode: 0,
    stderr: "2 messages wait here from before, and will be answered before yours\nWaiting: number 3 of the queue\n",
  });
  expect(model.requests).toHaveLength(7);
}, 300_000);
