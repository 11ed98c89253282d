import { expect, test } from "bun:test";
import { createManagerWorld } from "./testing/manager-world.ts";
import { probe } from "./testing/probe.ts";

const grant = { storage: { maxBytes: 1_000 } } as const;

test("[attack:extension-two-faced-value] a value that is small when it is counted, and large when it is stored", async () => {
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

test("[attack:extension-broken-value] what is no JSON is not stored, and the host does not say that its storage fails", async () => {
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
      expect([value, got]).toEqual([value, 'TypeError: Cannot store "key": it is no JSON']);
    }

  expect(await problems()).toMatchObject({ status: "ok", problems: [] });
});
