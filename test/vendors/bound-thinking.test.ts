import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";

const clientOf = ({ url, token }: HostProcess): Client => createClient({ url, token });

const think = (server: RecordingModelServer, signature: string): void =>
  server.enqueue({ kind: "text", reasoning: { text: "Hm", signature }, chunks: ["Yes"] });

test("prefix-bound thinking never causes a rejection after rebuild, edit, fork, import or model change", async () => {
  await using folder = await createTempFolder();
  await using server = await startRecordingModelServer();
  const config = join(folder.path, "incipit.toml");
  const rules = join(folder.path, "AGENTS.md");
  const start = async (more = "", data = "data"): Promise<HostProcess> => {
    await Bun.write(
      config,
      `model = "claude/claude-fable-5-1"\nsystem_prompt = "[file:AGENTS.md]"\n${more}
[providers.claude]\nkind = "anthropic"\nbase_url = "${server.urlOf("anthropic")}"\napi_key_env = "K"\n`,
    );
    return HostProcess.start({
      data: join(folder.path, data),
      config,
      cwd: folder.path,
      env: { K: "key-0123456789" },
    });
  };
  const ask = async (host: HostProcess, id: string, model?: string): Promise<string> => {
    think(server, `c2ln${server.requests.length}`);
    const events = await host.turn(id, { input: "And now?", ...(model === undefined ? {} : { model }) });
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    return server.requests.at(-1)?.body ?? "";
  };
  await Bun.write(rules, "Be brief.");
  let host = await start();
  const { id } = await host.createConversation();
  await ask(host, id);
  expect(await ask(host, id)).toContain("c2ln0");

  await Bun.write(rules, "Be kind.");
  await clientOf(host).call(routes.rebuildPrompt, { params: { id }, body: {} });
  const rebuilt = await ask(host, id);
  const { conversation: fork } = await clientOf(host).call(routes.forkConversation, {
    params: { id },
    body: {},
  });
  await ask(host, fork.id);
  const other = await ask(host, id, "claude/claude-opus-5-5");
  await ask(host, id);
  await host.kill("SIGTERM");
  host = await start('prompt_refresh = "turn"\ntools.workspace = true');
  await Bun.write(rules, "Be just.");
  await ask(host, id);
  await Bun.write(rules, "Be quick.");
  await ask(host, id);
  const { steps } = await clientOf(host).call(routes.auditConversation, { params: { id }, query: {} });
  const exported = await new Response(await clientOf(host).exportConversation(id)).text();
  await host.kill("SIGTERM");
  await using elsewhere = await start("", "elsewhere");
  await clientOf(elsewhere).importConversation(new Blob([exported]));
  await ask(elsewhere, id);

  expect(steps.at(-1)).toMatchObject({
    reason: "prompt-rebuilt",
    prefix: { dropsThinking: true },
    warning: { message: expect.stringContaining("drops the thinking") },
  });
  expect(rebuilt).toContain("Be kind.");
  expect(rebuilt).toContain("c2ln0");
  expect(other).not.toContain("c2ln");
  expect(server.requests.every(({ body }) => body.includes('"drop_block"'))).toBe(true);
});
