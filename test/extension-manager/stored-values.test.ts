import { ApiClientError, grantRequiredDetailsSchema, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createManagerWorld, failureOf, writeExtension, type ManagerWorld } from "./manager-world.ts";
import { probe } from "./probe.ts";

const grant = { storage: { maxBytes: 1_000 } } as const;

test("[attack:extension-two-faced-value] a value that grows between measuring and storing stays within the limit", async () => {
  await using world = await createManagerWorld();
  const storing = (value: string, times: number): Promise<unknown> =>
    probe(
      world,
      {
        manifest: { capabilities: grant },
        tries: `let count = 0;
        const grown = () => ((count += 1) > ${times} ? "x".repeat(100_000) : "x");
        const any = { "~standard": { version: 1, vendor: "sample", validate: (value) => ({ value }) } };
        const storage = host.storage("a");
        await storage.set("key", ${value});
        return JSON.stringify(await storage.get("key", any)).length;`,
      },
      grant,
    );

  for (const value of ["{ toJSON: grown }", "{ get a() { return grown(); } }", "[{ b: { toJSON: grown } }]"]) {
    expect(await storing(value, 0)).toBe("CAPABILITY_DENIED");
    for (const times of [1, 2, 3, 4]) expect(await storing(value, times)).toBeLessThan(20);
  }
});

test("[attack:extension-broken-value] invalid JSON is not stored or reported as a storage failure", async () => {
  await using world = await createManagerWorld();
  const { url, token } = world.host;
  const problems = async (): Promise<unknown> => {
    const response = await fetch(`${url}/health`, { headers: { authorization: `Bearer ${token}` } });
    return response.json();
  };
  for (const value of ["undefined", "() => 1", "Symbol()", "{ toJSON: () => undefined }"])
    for (const storage of [grant.storage, true] as const) {
      const tries = `await host.storage("a").set("key", ${value})`;
      const got = await probe(world, { manifest: { capabilities: { storage } }, tries }, { storage });
      expect([value, got]).toEqual([value, 'TypeError: Cannot store "key": it is not JSON']);
    }

  expect(await problems()).toMatchObject({ status: "ok", problems: [] });
});

const params = { id: "acme.sample" };

const storing = `const any = { "~standard": { version: 1, vendor: "sample", validate: (value) => ({ value }) } };
  const storage = host.storage("notes");
  host.log.info("found", { it: (await storage.get("key", any)) ?? null });
  await storage.set("key", host.id + " was here")`;

function lastFound(world: ManagerWorld): string | undefined {
  return /found .*/.exec(world.logs.findLast((line) => line.includes("found")) ?? "")?.[0];
}

function detailsOf(error: unknown): unknown {
  return error instanceof ApiClientError && error.code === "GRANT_REQUIRED"
    ? grantRequiredDetailsSchema.parse(error.details)
    : error;
}

test("[attack:extension-inherits-data] stored data is not passed to a later owner of the id without consent", async () => {
  await using world = await createManagerWorld();
  const { client, root } = world;
  const [own, other, swapped] = ["own", "other", "swapped"].map((name) => join(root, name));
  if (own === undefined || other === undefined || swapped === undefined) throw new Error("They have names");
  await writeExtension(own, { manifest: { capabilities: { storage: true } }, activate: storing });
  await writeExtension(other, {
    manifest: { capabilities: { storage: true }, version: "7.0.0" },
    activate: storing,
  });
  await writeExtension(swapped, { manifest: { version: "8.0.0" } });
  const add = (body: object): Promise<unknown> =>
    failureOf(client.call(routes.addExtension, { body: { path: other, ...body } }));

  await client.call(routes.addExtension, { body: { path: own, grant: { storage: true } } });
  expect(lastFound(world)).toBe('found {"it":null}');
  expect(await failureOf(client.call(routes.deleteExtensionData, { params }))).toMatchObject({
    code: "EXTENSION_REFUSED",
  });
  expect(await client.call(routes.removeExtension, { params })).toMatchObject({ stored: 1 });

  expect(detailsOf(await add({}))).toMatchObject({ stored: 1 });
  expect(detailsOf(await add({ grant: { storage: true } }))).toMatchObject({ stored: 1 });
  expect(lastFound(world)).toBe('found {"it":null}');
  expect(await add({ grant: { storage: true }, data: "keep" })).toBe("it was taken");
  expect(lastFound(world)).toBe('found {"it":"acme.sample was here"}');
  await client.call(routes.removeExtension, { params });
  expect(await add({ grant: { storage: true }, data: "drop" })).toBe("it was taken");
  expect(lastFound(world)).toBe('found {"it":null}');
  await client.call(routes.removeExtension, { params });

  // A version without storage does not pass it to a later version either.
  expect(await add({ path: swapped })).toBe("it was taken");
  const swap = (data: object): Promise<unknown> =>
    failureOf(
      client.call(routes.swapExtension, { params, body: { path: other, grant: { storage: true }, ...data } }),
    );
  expect(detailsOf(await swap({}))).toMatchObject({ stored: 1 });
  expect(await swap({ data: "drop" })).toBe("it was taken");
  expect(lastFound(world)).toBe('found {"it":null}');
  await client.call(routes.removeExtension, { params });
  await client.call(routes.deleteExtensionData, { params });
  expect(await add({ grant: { storage: true } })).toBe("it was taken");
});

test("[attack:extension-changes-while-asked] a grant for the shown code does not apply to other code", async () => {
  await using world = await createManagerWorld({ HOST_KEY: "sk-1" });
  const { client, path } = world;
  const manifest = { capabilities: { env: ["HOST_KEY"] } };
  const write = (name: string): Promise<void> =>
    writeExtension(path, { manifest, activate: `host.log.info("${name} has " + host.env.get("HOST_KEY")[0])` });
  const add = (body: object): Promise<unknown> =>
    failureOf(client.call(routes.addExtension, { body: { path, ...body } }));
  await write("shown");
  const { grant, sha256 } = grantRequiredDetailsSchema.parse(detailsOf(await add({})));

  await write("other");
  const again = grantRequiredDetailsSchema.parse(detailsOf(await add({ grant, sha256 })));
  expect(again.sha256).not.toBe(sha256);
  expect(world.logs.filter((line) => line.includes(" has "))).toEqual([]);
  await write("shown");
  expect(await add({ grant, sha256 })).toBe("it was taken");
  expect(world.logs.filter((line) => line.includes("shown has s"))).toHaveLength(1);

  await client.call(routes.removeExtension, { params });
  await write("other");
  expect(await add({ grant })).toBe("it was taken"); // A grant without a hash applies to the current code.
  expect(world.logs.filter((line) => line.includes("other has s"))).toHaveLength(1);
});
