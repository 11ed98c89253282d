import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { publishedVersions, registryOf } from "./npm-registry.ts";

test("registryOf() prefers npm's variable, then the user's .npmrc, then the public registry", async () => {
  await using home = await createTempFolder();
  const env = { HOME: home.path };
  expect(registryOf(env)).toBe("https://registry.npmjs.org/");

  const settings = [
    "; registry=https://commented.example",
    "registry = https://npm.example/api/${TEAM}",
    "@acme:registry=https://acme.example",
  ];
  await Bun.write(join(home.path, ".npmrc"), settings.join("\n"));

  expect(registryOf({ ...env, TEAM: "otters" })).toBe("https://npm.example/api/otters/");
  expect(registryOf({ ...env, NPM_CONFIG_REGISTRY: "https://other.example/" })).toBe("https://other.example/");
  const elsewhere = { HOME: "/nowhere", npm_config_userconfig: join(home.path, ".npmrc"), TEAM: "otters" };
  expect(registryOf(elsewhere)).toBe("https://npm.example/api/otters/");
});

async function asked(answer: () => Response | Promise<Response>, timeoutMs = 5_000): Promise<unknown> {
  using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  return await publishedVersions(`http://127.0.0.1:${server.port}/npm/`, { timeoutMs }).catch(
    (error: unknown) => error,
  );
}

test("publishedVersions() returns valid versions in order, with their days", async () => {
  const body = {
    "dist-tags": { latest: "0.10.0" },
    versions: { "0.10.0": {}, "0.9.0": {}, "\u001B[31m1": {} },
    time: { "0.9.0": "2026-11-30T10:00:00.000Z", "0.10.0": "soon" },
  };

  expect(await asked(() => Response.json(body))).toEqual({
    latest: "0.10.0",
    versions: [
      { version: "0.9.0", day: "2026-11-30" },
      { version: "0.10.0", day: undefined },
    ],
  });
});

test("publishedVersions() explains an invalid response of a registry", async () => {
  const rows = [
    { answer: () => new Response("", { status: 404 }), says: 'has no package "incipit"' },
    { answer: () => new Response("", { status: 401 }), says: "npm view incipit version" },
    { answer: () => new Response("", { status: 502 }), says: "status 502" },
    { answer: () => new Response("<html>"), says: "tells of no versions" },
    { answer: () => Response.json({ "dist-tags": { latest: "\u001B[2J" }, versions: {} }), says: "no versions" },
    { answer: () => new Response("x".repeat(9_000_000)), says: "more than 8388608 bytes" },
  ];
  for (const { answer, says } of rows)
    expect(await asked(answer)).toMatchObject({ code: "REGISTRY_FAILED", message: expect.stringContaining(says) });

  const silent = await asked(() => new Promise<Response>(() => {}), 50);
  expect(silent).toMatchObject({ message: expect.stringContaining("did not answer within 0.05 seconds; nothing") });
  const wrong = await publishedVersions("file:///etc/").catch((error: unknown) => error);
  expect(wrong).toMatchObject({ message: expect.stringContaining('npm\'s setting "registry"') });
});
