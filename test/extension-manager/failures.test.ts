import type { Explain } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createManagerWorld, writeExtension } from "./manager-world.ts";

const secret = "sk-proj-0123456789abcdefghijklmnopqrstuvwxyzABCDEF";

async function writeFailing(path: string): Promise<void> {
  const code = `import { defineExtension } from "@incipit/kernel";
import { promptVariablesPoint } from "@incipit/service-contract";
const manifest = { id: "acme.sample", version: "1.0.0", api: "^1", contributes: ["prompt-variables@1"] };
export default defineExtension(manifest, (host) => {
  host.contribute(promptVariablesPoint, {
    type: "acme",
    variables: [{ name: "fetch", description: "Fetches" }, { name: "x", description: "Throws" }],
    async resolve(name) {
      if (name === "fetch") await host.net.fetch("https://api.acme.dev/x");
      throw new Error("no sky: ${secret}");
    },
  });
});
`;
  await writeExtension(path, { manifest: { contributes: ["prompt-variables@1"] }, code });
}

async function explained(client: Client, template: string): Promise<Explain["variables"]> {
  const { explain } = await client.call(routes.previewSystemPrompt, { body: { template } });
  return explain.variables;
}

test("[attack:text-error-secret] an error of a variable is shown with file and line, without secrets", async () => {
  await using world = await createManagerWorld();
  await writeFailing(world.path);
  const { client } = world;
  await client.call(routes.addExtension, { body: { path: world.path } });

  const [variable] = await explained(client, "[acme:x]");

  const place = `${join(world.path, "src/index.ts")}:10:`;
  expect(variable).toMatchObject({ reason: "failed", extension: "acme.sample" });
  expect(variable?.detail).toStartWith("no sky: [redacted:");
  expect(variable?.detail).toContain(place);
  const { extension } = await client.call(routes.getExtension, { params: { id: "acme.sample" } });
  expect(extension.lastError).toMatchObject({ code: "CONTRIBUTION_FAILED" });
  expect(extension.lastError?.message).toStartWith('variable [acme:x] of "acme.sample" failed: no sky: [redacted:');
  expect(extension.phase).toBe("active");
  expect(JSON.stringify([variable, extension])).not.toContain(secret);
  expect(await Bun.file(join(world.path, "src/index.ts")).text()).toContain(`no sky: ${secret}`);
});

test("an error of a variable in a conversation is logged once", async () => {
  await using world = await createManagerWorld();
  await writeFailing(world.path);
  const { client } = world;
  await client.call(routes.addExtension, { body: { path: world.path } });
  await client.call(routes.setSystemPrompt, { body: { template: "[acme:x]" } });

  for (const input of ["one", "two"]) {
    const { conversation } = await client.call(routes.createConversation, { body: {} });
    for await (const _event of client.sendTurn(conversation.id, { input }));
  }

  const told = world.logs.filter((line) => line.includes("A variable of an extension is absent"));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("src/index.ts:10:");
  expect(told[0]).not.toContain(secret);
});

test("a variable without the net capability reports the missing grant", async () => {
  await using world = await createManagerWorld();
  await writeFailing(world.path);
  const { client } = world;
  await client.call(routes.addExtension, { body: { path: world.path } });

  const [variable] = await explained(client, "[acme:fetch]");
  const lint = await client.call(routes.lintTemplate, { body: { template: "[acme:fetch]" } });

  expect(variable).toMatchObject({ reason: "denied" });
  expect(variable?.detail).toContain("net");
  expect(lint.findings).toContainEqual(expect.objectContaining({ code: "absent-value", severity: "warning" }));
  expect(JSON.stringify(lint.findings)).toContain("incipit extensions swap acme.sample");
  expect(JSON.stringify(lint.findings)).not.toContain("[prompt] read");
});
