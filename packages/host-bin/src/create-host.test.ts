import { defineExtension, type Host } from "@incipit/kernel";
import { promptVariablesPoint } from "@incipit/service-contract";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { parseConfig } from "./config/parse-config.ts";
import { createHost, type HostOptions } from "./create-host.ts";

function optionsFor(folder: string, text = ""): HostOptions {
  return {
    config: parseConfig(`listen.port = 0\n${text}`, "test"),
    dataFolder: join(folder, "data"),
    cwd: folder,
    env: {},
    writeLog: () => {},
  };
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "it started",
    (error: unknown) => error,
  );
}

test("createHost runs an in-process host that closes once and frees its folder", async () => {
  await using temp = await createTempFolder();
  const options = optionsFor(temp.path);
  const host = await createHost(options);
  const client = createClient(host);

  expect(await client.call(routes.getHealth)).toMatchObject({ status: "ok" });
  const second = await failureOf(createHost(options));
  expect(second).toMatchObject({ name: "DataFolderHeld", message: expect.stringContaining(host.url) });
  await Promise.all([host.close(), host.close()]);

  await using next = await createHost(options);
  await host.close(); // Must not release the lock of the next host.
  expect(await createClient(next).call(routes.getHealth)).toMatchObject({ status: "ok" });
});

test("createHost lists a disabled extension as stopped and can start it later", async () => {
  await using temp = await createTempFolder();
  await using host = await createHost(optionsFor(temp.path, 'extensions.disabled = ["system-prompt"]'));
  const client = createClient(host);

  const { extensions } = await client.call(routes.listExtensions);
  const { extension } = await client.call(routes.loadExtension, { params: { id: "system-prompt" } });

  expect(extensions.find(({ id }) => id === "system-prompt")).toMatchObject({ phase: "stopped", generation: 0 });
  expect(extension.phase).toBe("active");
});

test("createHost rejects unusable options with a reason and frees the folder", async () => {
  await using temp = await createTempFolder();
  const refusals = [
    ['extensions.disabled = ["system-promt"]', 'did you mean "system-prompt"?'],
    ['extensions.disabled = ["transport-http"]', "extensions.disabled"],
    ['listen.host = "203.0.113.7"\nlisten.allowed_hosts = ["x"]', "not an address of this machine"],
  ] as const;

  for (const [text, message] of refusals) {
    const failure = await failureOf(createHost(optionsFor(temp.path, text)));
    expect(failure).toMatchObject({ message: expect.stringContaining(message) });
  }
  await using host = await createHost(optionsFor(temp.path));
  expect(host.url).toStartWith("http://127.0.0.1:");
});

test("[attack:secrets-in-start-failure] createHost redacts keys in an extension's startup error", async () => {
  await using temp = await createTempFolder();
  const key = "planted-key-of-the-vendor-1";
  const text = 'listen.host = "203.0.113.7"\nlisten.allowed_hosts = ["x"]\n[providers.openai]\nkind = "openai"';
  const extensions = [key, btoa(`me:${key}`), "no key at all"].map((quoted, index) =>
    defineExtension({ id: `acme.bad${index}`, version: "1.0.0", api: "^1" }, () => {
      throw new Error(`Cannot sign in with <${quoted}>`);
    }),
  );

  const failure = await failureOf(
    createHost({ ...optionsFor(temp.path, text), env: { OPENAI_API_KEY: key }, extensions }),
  );

  expect(failure).toMatchObject({ name: "HostStartError" });
  expect(String(failure)).toContain("<[redacted:secret]>");
  expect(String(failure)).toContain("<no key at all>");
  expect(String(failure)).not.toContain(key);
  expect(String(failure)).not.toContain(btoa(key).slice(4, 16));
});

const given = "acme-secret-Value-4711-xyz";

test("[attack:secrets-granted-variable] createHost redacts a granted variable in logs, errors, /health and records", async () => {
  await using temp = await createTempFolder();
  await using model = await startRecordingModelServer();
  const lines: string[] = [];
  const read = (host: Host): string => host.env.get("ACME_KEY") ?? "";
  const capabilities = { env: ["ACME_KEY", "HOME"] };
  const failing = defineExtension({ id: "acme.failing", version: "1.0.0", api: "^1", capabilities }, (host) => {
    host.log.warn(`It begins with ${read(host)}`);
    throw new Error(`Cannot sign in at https://acme.dev/?k=${encodeURIComponent(read(host))}`);
  });
  const contributes = ["prompt-variables@1"] as const;
  const telling = defineExtension(
    { id: "acme.telling", version: "1.0.0", api: "^1", capabilities, contributes },
    (host) =>
      host.contribute(promptVariablesPoint, {
        type: "acme",
        variables: [{ name: "key", description: "The key" }],
        resolve: async () => ({
          kind: "value",
          value: `The key is ${read(host)}, the home ${host.env.get("HOME")}`,
        }),
      }),
  );
  const text = `model = "local/test"
system_prompt = "[acme:key]"
[providers.local]
kind = "openai-compatible"
base_url = "${model.url}"`;
  const options = { ...optionsFor(temp.path, text), env: { ACME_KEY: given, HOME: "/home/ada" } };
  const host = await createHost({
    ...options,
    writeLog: (line) => lines.push(line),
    extensions: [failing, telling],
  });
  await using _ = host;
  const client = createClient(host);
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  const params = { id: conversation.id };
  const events = await Array.fromAsync(client.sendTurn(conversation.id, { input: "hello" }));
  const { steps } = await client.call(routes.listSteps, { params });
  const stepId = steps[0]?.id ?? "";

  const request = await client.call(routes.getStepRequest, { params: { ...params, stepId } });
  const health = JSON.stringify(await client.call(routes.getHealth));
  const extensions = JSON.stringify(await client.call(routes.listExtensions));

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  const kept = JSON.stringify(request.body);
  for (const shown of [lines.join(""), health, extensions, kept]) {
    expect(shown).not.toContain(given);
    expect(shown).toContain("[redacted:secret]");
  }
  expect(kept).toContain("the home /home/ada");
  expect(JSON.stringify(model.requests)).toContain(given);
});

test("[attack:secrets-in-address] createHost redacts a key in the path of a configured address, but no model name", async () => {
  await using temp = await createTempFolder();
  using vendor = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => Response.json({ error: { message: `No such thing: ${url}` } }, { status: 404 }),
  });
  const key = "YjA3Mzk5ZDQtNGY2Yi00";
  const path = `u/${key}/gpt-4o-mini-2024-07-18/v1`;
  const text = `model = "local/test"
[providers.local]
kind = "openai-compatible"
base_url = "http://127.0.0.1:${vendor.port}/${path}"`;
  await using host = await createHost(optionsFor(temp.path, text));
  const client = createClient(host);
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  const params = { id: conversation.id };
  const events = await Array.fromAsync(client.sendTurn(conversation.id, { input: `my model is ${path}` }));
  const { steps } = await client.call(routes.listSteps, { params });
  const request = await client.call(routes.getStepRequest, {
    params: { ...params, stepId: steps[0]?.id ?? "" },
  });

  const end = JSON.stringify(events.at(-1));
  for (const shown of [request.url, request.body, end]) {
    expect(shown).toContain("/u/[redacted:secret]/gpt-4o-mini-2024-07-18/v1".slice(shown === request.body ? 1 : 0));
    expect(shown).not.toContain(key);
  }
});

test("createHost returns a local address when it listens on every interface, and answers there", async () => {
  await using temp = await createTempFolder();
  await using host = await createHost(
    optionsFor(temp.path, 'listen.host = "0.0.0.0"\nlisten.allowed_hosts = ["incipit.example"]'),
  );

  expect(host.url).toStartWith("http://127.0.0.1:");
  expect(await createClient(host).call(routes.getHealth)).toMatchObject({ status: "ok" });
});

test("createHost grants a provider only its configured endpoint and variable", async () => {
  await using temp = await createTempFolder();
  await using host = await createHost(
    optionsFor(
      temp.path,
      '[providers.a]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:9/v1"\napi_key_env = "A_KEY"\n[prompt]\nread = ["$cwd", "/etc/motd"]',
    ),
  );

  const grantOf = (id: string): unknown => host.kernel.list().find((health) => health.id === id)?.granted;

  expect(grantOf("provider-openai")).toEqual({
    net: ["127.0.0.1:9"],
    env: ["A_KEY"],
    contributes: ["model-providers@1"],
  });
  expect(grantOf("system-prompt")).toMatchObject({
    storage: true,
    fs: { read: ["$cwd", "/etc/motd"] },
    spawn: ["git"],
  });
});

test("createHost starts the workspace tools only when configured", async () => {
  await using temp = await createTempFolder();
  const phaseOf = async (text: string): Promise<string | undefined> => {
    await using host = await createHost(optionsFor(temp.path, text));
    return host.kernel.list().find(({ id }) => id === "workspace-tools")?.phase;
  };

  expect(await phaseOf("")).toBe("stopped");
  expect(await phaseOf("tools.workspace = true")).toBe("active");
  expect(await phaseOf('tools.workspace = true\nextensions.disabled = ["workspace-tools"]')).toBe("stopped");
});

test("createHost names an invalid pattern of records.redact and leaves the folder unchanged", async () => {
  await using temp = await createTempFolder();
  const failure = await failureOf(
    createHost(optionsFor(temp.path, '[records]\nredact = ["ACME-[0-9]+", "(open"]\n')),
  );

  expect(failure).toMatchObject({ name: "ConfigError", message: expect.stringContaining('"records.redact[1]"') });
  await using host = await createHost(optionsFor(temp.path));
  expect(await createClient(host).call(routes.getHealth)).toMatchObject({ status: "ok" });
});
