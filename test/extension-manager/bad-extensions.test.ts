import { ApiClientError, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { incipit } from "../support/host-process.ts";
import { sharedWorld } from "../support/shared-world.ts";
import {
  createManagerWorld,
  failureOf,
  writeExtension,
  type ExtensionSource,
  type ManagerWorld,
} from "./manager-world.ts";

/** For extensions that do not start in time; the host's own do even on a busy machine. */
const activateTimeoutMs = 3_000;

interface BadExtension extends ExtensionSource {
  readonly expected: { readonly code: string; readonly says: readonly string[] };
}

const id = "acme.sample";

const badExtensions: Readonly<Record<string, BadExtension>> = {
  "a manifest with an unknown key": {
    manifest: { provdes: ["x@1"] },
    expected: { code: "MANIFEST_INVALID", says: [id, '"provdes"', "provides"] },
  },
  "a bad id": {
    manifest: { id: "Acme Bad" },
    expected: { code: "MANIFEST_INVALID", says: ["Acme Bad", "acme.weather"] },
  },
  "a version that is not semver": {
    manifest: { version: "1.0" },
    expected: { code: "MANIFEST_INVALID", says: [id, '"1.0"', "1.2.0"] },
  },
  "an API range that is not met": { manifest: { api: "^9" }, expected: { code: "API_MISMATCH", says: [id, "^9"] } },
  "a cycle": {
    manifest: { provides: ["bad.a@1"], dependsOn: { required: ["good.c@1"] } },
    expected: { code: "DEPENDENCY_CYCLE", says: [id, "acme.waiting"] },
  },
  "a service that another one provides": {
    manifest: { provides: ["good.b@1"] },
    expected: { code: "DUPLICATE_SERVICE", says: [id, "acme.good", "good.b@1", "unload"] },
  },
  "a service that the host itself provides": {
    manifest: { provides: ["extension-manager@1"] },
    expected: { code: "DUPLICATE_SERVICE", says: [id, "extension-manager@1", "take it out"] },
  },
  "one that would grant itself what it likes": {
    manifest: { dependsOn: { optional: ["extension-manager@1"] } },
    expected: { code: "CAPABILITY_DENIED", says: [id, "extension-manager@1", "take it out"] },
  },
  "one that would load others": {
    manifest: { dependsOn: { required: ["extension-control@1"] } },
    expected: { code: "CAPABILITY_DENIED", says: [id, "extension-control@1", "take it out"] },
  },
  "an entry that does not parse": {
    code: "export default {;",
    expected: { code: "CODE_INVALID", says: [id, "src/index.ts:1:"] },
  },
  "an entry that throws at import": {
    code: 'throw new Error("no luck");',
    expected: { code: "CODE_FAILED", says: [id, "no luck", "src/index.ts:1"] },
  },
  "an entry that exports no extension": {
    code: "export default 5;",
    expected: { code: "CODE_FAILED", says: [id, "defineExtension"] },
  },
  "one that throws in activate": {
    activate: 'throw new Error("no luck")',
    expected: { code: "ACTIVATE_FAILED", says: [id, "no luck", "src/index.ts:"] },
  },
  "one that never returns from activate": {
    activate: "await new Promise(() => {})",
    expected: { code: "ACTIVATE_TIMEOUT", says: [id, `${activateTimeoutMs} ms`] },
  },
  "one that returns after its deadline": {
    activate: `await new Promise((resolve) => host.signal.addEventListener("abort", resolve, { once: true }));
      host.defer("late", () => {})`,
    expected: { code: "ACTIVATE_TIMEOUT", says: [id, `${activateTimeoutMs} ms`] },
  },
  "one that provides what it did not declare": {
    activate: 'host.provideService(defineHandle("bad.x@1"), {})',
    expected: { code: "SERVICE_UNDECLARED", says: [id, "bad.x@1", "provides"] },
  },
  "one that does not provide what it declared": {
    manifest: { provides: ["bad.x@1"] },
    expected: { code: "SERVICE_NOT_PROVIDED", says: [id, "bad.x@1", "host.provideService"] },
  },
  "one that imports what only the system has": {
    code: 'import { rmSync } from "node:fs"; rmSync("/nothing");',
    expected: { code: "IMPORT_DENIED", says: [id, "node:fs", "src/index.ts:1", "system"] },
  },
};

async function phases(client: Client): Promise<readonly string[]> {
  const { extensions: all } = await client.call(routes.listExtensions);
  return all.map((extension) => `${extension.id} ${extension.phase} ${extension.generation}`);
}

async function shownBy({ root }: ManagerWorld, ...args: readonly string[]): Promise<string> {
  const config = join(root, "incipit.toml");
  await Bun.write(config, "");
  const options = { cwd: root, home: root };
  const { exitCode, stderr } = await incipit([...args, "--data", join(root, "data"), "--config", config], options);
  expect(exitCode).toBe(1);
  return stderr;
}

const world = await sharedWorld(createManagerWorld());
const good = { id: "acme.good", provides: ["good.b@1"] };
const waiting = { id: "acme.waiting", provides: ["good.c@1"], dependsOn: { required: ["bad.a@1"] } };

async function addOthers({ client, root }: ManagerWorld): Promise<void> {
  for (const manifest of [good, waiting]) {
    const path = join(root, manifest.id);
    const activate = `host.provideService(defineHandle("${manifest.provides[0]}"), {})`;
    await writeExtension(path, { manifest, activate });
    await client.call(routes.addExtension, { body: { path } });
  }
}

await addOthers(world);

async function refuse(at: ManagerWorld, { expected, ...extension }: BadExtension): Promise<void> {
  const { client, path } = at;
  await writeExtension(path, extension);
  const before = await phases(client);

  const refusal = await failureOf(client.call(routes.addExtension, { body: { path, grant: {} } }));
  const shown = await shownBy(at, "extensions", "add", path, "--yes");

  if (!(refusal instanceof ApiClientError)) throw new Error(`It was not refused: ${String(refusal)}`);
  expect<string>(refusal.code).toBe(expected.code);
  for (const fact of expected.says) expect(refusal.message).toContain(fact);
  for (const fact of [`[${expected.code}]`, ...expected.says]) expect(shown).toContain(fact);
  expect(await phases(client)).toEqual(before);
}

for (const [name, bad] of Object.entries(badExtensions)) {
  const { code } = bad.expected;
  const title = `${name} is refused with ${code}, over HTTP and in the terminal, and nothing else is touched`;
  if (code !== "ACTIVATE_TIMEOUT") test(title, () => refuse(world, bad));
  // Cases that reach the deadline run concurrently; the others would slow them down.
  else
    test.concurrent(title, async () => {
      await using own = await createManagerWorld({}, { activateTimeoutMs });
      await addOthers(own);
      await refuse(own, bad);
    });
}

test("a missing folder and an unknown id are rejected with code and fix", async () => {
  const path = join(world.root, "nowhere");

  const shownForFolder = await shownBy(world, "extensions", "add", path);
  for (const fact of [path, "name the folder", "[FOLDER_INVALID]"]) expect(shownForFolder).toContain(fact);
  for (const action of ["show", "load", "unload", "remove", "swap"]) {
    const shown = await shownBy(world, "extensions", action, "acme.nobody");
    for (const fact of ['"acme.nobody"', "known extensions", "[EXTENSION_UNKNOWN]"]) expect(shown).toContain(fact);
  }
});
