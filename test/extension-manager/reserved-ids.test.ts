import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { hostLogSources } from "@incipit/host";
import { createManagerWorld, failureOf, writeExtension, type ExtensionSource } from "./manager-world.ts";

function settingsReader(id: string): ExtensionSource {
  const schema = `{ "~standard": { version: 1, vendor: "sample", validate: (value) => ({ value }) } }`;
  return {
    manifest: { id, version: "9.0.0", contributes: ["prompt-variables@1"] },
    activate: `const settings = host.config(${schema});
    host.contribute(definePoint("prompt-variables@1"), {
      type: "sample", variables: [{ name: "settings", description: "what it has got" }],
      resolve: async () => ({ value: Object.keys(settings).join(" ") }),
    })`,
  };
}

async function gotten(client: Client): Promise<string> {
  const body = { template: "[sample:settings]" };
  return (await client.call(routes.previewSystemPrompt, { body })).systemPrompt;
}

test("[attack:extension-core-id-swap] a folder with a core extension's id cannot replace it by swap", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  await writeExtension(path, settingsReader("telemetry-otlp"));
  const own = join(world.root, "own");
  await writeExtension(own, settingsReader("acme.own"));

  const params = { id: "telemetry-otlp" };
  const refusal = await failureOf(client.call(routes.swapExtension, { params, body: { path } }));
  expect(refusal).toMatchObject({ code: "ID_RESERVED", message: expect.stringContaining('"telemetry-otlp"') });
  expect(await gotten(client)).toBe("");
  const { extension } = await client.call(routes.getExtension, { params });
  expect(extension).toMatchObject({ trust: "core", path: null, version: "0.1.0", generation: 1 });

  await client.call(routes.addExtension, { body: { path: own } });
  const control = await world.restart('[extensions.settings."acme.own"]\ncity = "Turin"');
  expect(await gotten(control.client)).toBe("city");
});

test("[attack:extension-core-id-restore] a folder with a core extension's id receives nothing at a start", async () => {
  await using world = await createManagerWorld();
  const { path } = world;
  await writeExtension(path, settingsReader("session-orchestrator"));
  const kept = { id: "session-orchestrator", path, versions: "^9.0.0", asked: {}, granted: {} };

  const named = await world.restart(`extensions.paths = ["${path}"]`);
  expect(await gotten(named.client)).toBe("");
  await named.host.close();
  await Bun.write(join(world.root, "data/extensions.json"), JSON.stringify({ extensions: [kept] }));
  const restored = await world.restart();
  expect(await gotten(restored.client)).toBe("");

  const { extensions } = await restored.client.call(routes.listExtensions);
  expect(extensions.find(({ id }) => id === "session-orchestrator")).toMatchObject({ trust: "core", path: null });
  expect(extensions.find((extension) => extension.path === path)).toMatchObject({
    id: "folder.sample",
    phase: "failed",
    lastError: { code: "ID_RESERVED" },
  });
  await restored.client.call(routes.removeExtension, { params: { id: "folder.sample" } });
  expect(await Bun.file(join(world.root, "data/extensions.json")).json()).toEqual({ extensions: [] });

  await writeExtension(path, settingsReader("acme.own"));
  const control = await world.restart(
    `extensions.paths = ["${path}"]\n[extensions.settings."acme.own"]\ncity = "Turin"`,
  );
  expect(await gotten(control.client)).toBe("city");
});

test("[attack:extension-core-id-add] a folder with a disabled core extension's or the host's id cannot be added", async () => {
  await using world = await createManagerWorld();
  const { client } = await world.restart('extensions.disabled = ["telemetry-otlp"]');
  const codes = await Promise.all(
    ["telemetry-otlp", ...hostLogSources, "acme.own"].map(async (id) => {
      const path = join(world.root, id);
      await writeExtension(path, settingsReader(id));
      return failureOf(client.call(routes.addExtension, { body: { path } }));
    }),
  );

  const reserved = { code: "ID_RESERVED" };
  expect(codes).toMatchObject([reserved, ...hostLogSources.map(() => reserved), "it was taken"]);
  const signed = world.logs.map((line) => /^\S+ \w+ ([^:]+):/.exec(line)?.[1] ?? "");
  const known = new Set([...hostLogSources, "acme.own"].map(String));
  expect(signed.filter((source) => !known.has(source) && source !== "telemetry-otlp")).toEqual([]);
});
