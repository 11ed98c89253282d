import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createManagerWorld, failureOf, writeExtension, type ManagerWorld } from "./manager-world.ts";

interface VendorOptions {
  readonly id?: string;
  readonly kind?: string;
}

async function writeVendor(path: string, { id = "acme.sample", kind = "acme" }: VendorOptions = {}): Promise<void> {
  const manifest = {
    id,
    version: "1.0.0",
    api: "^1",
    contributes: ["model-providers@1"],
    kinds: { providers: [kind] },
  };
  await writeExtension(path, {
    manifest,
    code: `import { defineConfiguration, defineExtension, definePoint } from "@incipit/kernel";
      import * as z from "zod";
      const configuration = defineConfiguration({
        kinds: () => ({ providers: { ${JSON.stringify(kind)}: { region: z.enum(["north", "south"]).default("south") } } }),
        settings: () => ({ max_tries: z.int("must be a whole number").default(2) }),
      });
      export default defineExtension(${JSON.stringify(manifest)}, { configuration }, (host, { providers, max_tries }) => {
        for (const [id, { region }] of Object.entries(providers))
          host.contribute(definePoint("model-providers@1"), {
            id, models: [region + "-" + max_tries], problem: null, stream: async function* () {},
          });
      });`,
  });
}

async function addVendor(world: ManagerWorld, options?: VendorOptions): Promise<void> {
  await writeVendor(world.path, options);
  const body = { path: world.path, grant: { contributes: ["model-providers@1"] } };
  await world.client.call(routes.addExtension, { body });
}

async function modelsOf(client: Client): Promise<readonly string[]> {
  const { models } = await client.call(routes.listModels);
  return models.map(({ id }) => id).filter((id) => !id.startsWith("offline/"));
}

async function errorOf(client: Client, id = "acme.sample"): Promise<unknown> {
  const { extension } = await client.call(routes.getExtension, { params: { id } });
  return extension.lastError;
}

test("an added extension serves the providers of its kind with their configuration and defaults", async () => {
  await using world = await createManagerWorld();
  await addVendor(world);
  expect(await modelsOf(world.client)).toEqual([]);

  const { client } = await world.restart(`
    model = "one/north-3"
    [providers.one]
    kind = "acme"
    region = "north"
    [providers.other]
    kind = "acme"
    [extensions.settings."acme.sample"]
    max_tries = 3
  `);

  expect(await modelsOf(client)).toEqual(["one/north-3", "other/south-3"]);
});

test("mistakes in a provider of an added kind have file, line and nearest key", async () => {
  await using world = await createManagerWorld();
  await addVendor(world);

  const { client } = await world.restart(
    '[providers.one]\nkind = "acme"\nregoin = "north"\n[extensions.settings."acme.sample"]\nmax_tries = "x"',
  );

  expect(await errorOf(client)).toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining('test:4: key "providers.one.regoin" is unknown; did you mean "region"?'),
  });
  expect(await errorOf(client)).toMatchObject({
    message: expect.stringContaining(
      `test:6: key "extensions.settings.'acme.sample'.max_tries" must be a whole number`,
    ),
  });
  expect(await modelsOf(client)).toEqual([]);
});

test("a provider name of an added kind belongs only to that extension", async () => {
  await using world = await createManagerWorld();
  await addVendor(world);
  await world.restart('[providers.one]\nkind = "acme"');
  const path = join(world.root, "thief");
  await writeExtension(path, {
    manifest: { id: "acme.thief", contributes: ["model-providers@1"] },
    activate: `host.contribute(definePoint("model-providers@1"), { id: "one", models: [], problem: null, stream: async function* () {} });`,
  });

  await world.client.call(routes.unloadExtension, { params: { id: "acme.sample" } });
  const body = { path, grant: { contributes: ["model-providers@1"] } };
  expect(await failureOf(world.client.call(routes.addExtension, { body }))).toMatchObject({
    code: "CAPABILITY_DENIED",
    message: expect.stringContaining("a provider of the configuration"),
  });
});

test("an added extension cannot serve a built-in kind or another extension's kind", async () => {
  await using world = await createManagerWorld();
  await addVendor(world);
  const path = join(world.root, "thief");

  for (const kind of ["openai", "extension", "acme"]) {
    await writeVendor(path, { id: "acme.thief", kind });
    const body = { path, grant: { contributes: ["model-providers@1"] } };
    expect(await failureOf(world.client.call(routes.addExtension, { body }))).toMatchObject({
      code: "DUPLICATE_SERVICE",
      message: expect.stringContaining(`"${kind}"`),
    });
  }
  await writeVendor(path, { id: "acme.thief", kind: "free" });
  const body = { path, grant: { contributes: ["model-providers@1"] } };
  await world.client.call(routes.addExtension, { body });
});
