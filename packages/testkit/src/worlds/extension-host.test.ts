import {
  defineExtension,
  defineHandle,
  definePoint,
  KernelError,
  type FileSystem,
  type Host,
  type Manifest,
} from "@incipit/kernel";
import { expect, test } from "bun:test";
import * as z from "zod";
import { startExtension } from "./extension-host.ts";
import { createMemoryStorage } from "./memory-storage.ts";
import { startRecordingModelServer } from "../model-server/recording-model-server.ts";

interface Probe {
  host(): Promise<Host>;
}
const probeHandle = defineHandle<Probe>("probe@1");
const wordsPoint = definePoint<string>("words@1");
/** Longer than anything here that does not wait for the clock. */
const helpAfterMs = 100;
const base = { id: "acme.probe", version: "1.0.0", api: "^1" };

async function hostOf(
  manifest: Partial<Manifest>,
  options: Parameters<typeof startExtension>[1] = {},
): Promise<Host & AsyncDisposable> {
  let own: Host | undefined;
  const extension = defineExtension({ ...base, ...manifest }, (host) => {
    own = host;
  });
  const started = await startExtension(extension, options);
  if (own === undefined) throw new Error("It was not activated");
  return Object.assign(Object.create(own), { [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() });
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "it did not fail",
    (error: unknown) => error,
  );
}

test("startExtension exposes services, contributions and logs", async () => {
  const extension = defineExtension({ ...base, provides: ["probe@1"], contributes: ["words@1"] }, (host) => {
    host.log.warn("Careful", { count: 1 });
    host.contribute(wordsPoint, "hello");
    host.provideService(probeHandle, { host: async () => host });
  });

  await using started = await startExtension(extension);

  expect((await started.service(probeHandle).host()).id).toBe("acme.probe");
  expect(started.contributions(wordsPoint)).toEqual(["hello"]);
  expect(started.contribution(wordsPoint)).toBe("hello");
  expect(started.logs).toEqual([
    { extension: "acme.probe", level: "warn", message: "Careful", fields: { count: 1 } },
  ]);
  expect(started.kernel.list().find(({ id }) => id === "acme.probe")?.phase).toBe("active");
});

test("startExtension throws the error that activate throws", async () => {
  const boom = new Error("boom");

  const failure = await failureOf(startExtension(defineExtension(base, () => Promise.reject(boom))));

  expect(failure).toBe(boom);
});

test("startExtension throws kernel errors: invalid manifest, missing or unprovided service", async () => {
  const refusals = [
    [{ version: "one" }, "MANIFEST_INVALID"],
    [{ provides: ["probe@1"] }, "SERVICE_NOT_PROVIDED"],
    [{ dependsOn: { required: ["probe@1"] } }, "SERVICE_UNAVAILABLE"],
  ] as const;

  for (const [manifest, code] of refusals) {
    const failure = await failureOf(startExtension(defineExtension({ ...base, ...manifest }, () => {})));
    expect(failure).toMatchObject({ code, extension: "acme.probe" });
    expect(KernelError.is(failure)).toBe(true);
  }
});

test("startExtension throws ACTIVATE_TIMEOUT when activate hangs, even if the clock stands still", async () => {
  const stuck = defineExtension(base, () => new Promise(() => {}));

  expect(await failureOf(startExtension(stuck, { helpAfterMs }))).toMatchObject({ code: "ACTIVATE_TIMEOUT" });
});

test("startExtension closes its scope and abandons a stuck release", async () => {
  const released: string[] = [];
  const extension = defineExtension(base, (host) => {
    host.defer("first", () => void released.push("first"));
    host.defer("stuck", () => new Promise(() => {}));
  });

  const started = await startExtension(extension, { helpAfterMs });
  await started[Symbol.asyncDispose]();

  expect(released).toEqual(["first"]);
});

test("startExtension starts dependencies and configures only the first extension", async () => {
  const settings = z.strictObject({ word: z.string().default("none") });
  const contributor = (id: string, required: readonly "probe@1"[]) =>
    defineExtension({ ...base, id, contributes: ["words@1"], dependsOn: { required } }, (host) =>
      host.contribute(wordsPoint, host.config(settings).word),
    );
  const provider = defineExtension({ ...base, id: "acme.host", provides: ["probe@1"] }, (host) =>
    host.provideService(probeHandle, { host: async () => host }),
  );

  await using started = await startExtension(
    [contributor("acme.a", ["probe@1"]), provider, contributor("acme.b", [])],
    {
      config: { word: "mine" },
    },
  );

  expect(started.contributions(wordsPoint)).toEqual(["mine", "none"]);
  expect(() => started.contribution(wordsPoint)).toThrow("but 2");
});

test("contributions and service throw for names that no extension declares", async () => {
  await using started = await startExtension(defineExtension(base, () => {}));

  expect(() => started.contributions(wordsPoint)).toThrow('"words@1"');
  expect(() => started.service(probeHandle)).toThrow('"probe@1"');
});

test("startExtension grants the declared capabilities unless restricted", async () => {
  const manifest = { capabilities: { env: ["A", "B"], storage: true } } as const;
  const env = { A: "1", B: "2", C: "3" };
  await using all = await hostOf(manifest, { env });
  await using less = await hostOf(manifest, { env, grant: { env: ["A"] } });

  expect([all.env.get("A"), all.env.get("B")]).toEqual(["1", "2"]);
  expect(() => all.env.get("C")).toThrow(KernelError);
  expect(less.env.get("A")).toBe("1");
  expect(() => less.env.get("B")).toThrow(KernelError);
  expect(() => less.storage("notes")).toThrow(KernelError);
});

test("startExtension stores in memory and restarts on existing storage", async () => {
  const manifest = { capabilities: { storage: true } } as const;
  const storage = createMemoryStorage();
  {
    await using first = await hostOf(manifest, { storage });
    await first.storage("notes").set("key", "kept");
  }
  await using second = await hostOf(manifest, { storage });
  await using other = await hostOf(manifest);

  expect(await second.storage("notes").get("key", z.string())).toBe("kept");
  expect(await other.storage("notes").get("key", z.string())).toBeUndefined();
});

test("startExtension sends calls to a recording server by path, recorded first and without the key", async () => {
  await using server = await startRecordingModelServer();
  await using host = await hostOf({ capabilities: { net: ["api.acme.dev:443"] } }, { net: server });
  const records: unknown[] = [];

  const response = await host.net.fetch("https://api.acme.dev/v1/chat/completions", {
    method: "POST",
    headers: { Authorization: "Bearer key", "X-Trace": "t" },
    body: "{}",
    async observe(wire) {
      await (await fetch(`${server.url}/models`)).text(); // A whole round trip without it.
      records.push({ ...wire, received: server.requests.filter(({ method }) => method === "POST").length });
    },
  });

  expect(response.status).toBe(200);
  expect(server.requests.filter(({ method }) => method === "POST")).toMatchObject([
    { method: "POST", path: "/v1/chat/completions", body: "{}", headers: { authorization: "Bearer key" } },
  ]);
  expect(records).toMatchObject([
    { url: "https://api.acme.dev/v1/chat/completions", body: "{}", headers: { "x-trace": "t" }, received: 0 },
  ]);
  expect(JSON.stringify(records)).not.toContain("Bearer");
});

test("startExtension rejects ungranted calls and aborts unanswered ones on stop", async () => {
  const asked = Promise.withResolvers<void>();
  const calls: string[] = [];
  const net = (url: string): Promise<Response> => {
    calls.push(url);
    asked.resolve();
    return new Promise(() => {});
  };
  await using host = await hostOf(
    { capabilities: { net: ["api.acme.dev:443", "private:api.acme.dev:80"] } },
    { net },
  );
  await using silent = await hostOf({ capabilities: { net: true } });
  const stop = new AbortController();

  const refused = await Promise.all(
    ["https://api.acme.dev:8443/", "http://api.acme.org/", "file:///etc/passwd", "nonsense"].map((url) =>
      failureOf(host.net.fetch(url)),
    ),
  );
  const stoppedBefore = await failureOf(host.net.fetch("https://api.acme.dev/", { signal: AbortSignal.abort() }));
  const stopped = failureOf(host.net.fetch("http://api.acme.dev/x", { signal: stop.signal }));
  await asked.promise;
  stop.abort();

  expect(refused).toMatchObject(Array.from({ length: 4 }, () => ({ code: "CAPABILITY_DENIED" })));
  expect([stoppedBefore, await stopped]).toMatchObject([{ name: "AbortError" }, { name: "AbortError" }]);
  expect(calls).toEqual(["http://api.acme.dev/x"]);
  expect(await failureOf(silent.net.fetch("https://api.acme.dev/"))).toBeInstanceOf(TypeError);
});

test("startExtension reads the test's files where granted and explains refusals", async () => {
  await using host = await hostOf(
    { capabilities: { fs: { read: ["$cwd", "/etc/motd"] } } },
    { files: { "/work/a/b.txt": "text", "/secret": "no", "/etc/motd": "hi" } },
  );
  const read = async (path: string, maxBytes = 100): Promise<string> => {
    const result = await host.fs.readFile(path, { cwd: "/work", maxBytes, timeoutMs: 1 });
    return result.kind === "read" ? new TextDecoder().decode(result.bytes) : result.reason;
  };

  expect(
    await Promise.all(["a/b.txt", "a", "c", "/etc/motd", "../secret", "/workshop"].map((path) => read(path))),
  ).toEqual(["text", "not-a-file", "not-found", "hi", "denied", "denied"]);
  expect(await read("a/b.txt", 3)).toBe("too-large");
});

test("startExtension uses only its fake clock, and custom drivers", async () => {
  const extension = defineExtension({ ...base, capabilities: { spawn: ["git"] } }, async (host) => {
    host.clock.setTimer(() => host.log.info("tick"), 5_000);
    const result = await host.spawn.run("git", ["--version"], { cwd: "/", maxOutputBytes: 1, timeoutMs: 1 });
    host.log.info(result.kind);
  });
  const nothing = new Uint8Array();

  await using started = await startExtension(extension, {
    drivers: {
      spawn: () => ({
        run: async () => ({ kind: "exited", exitCode: 0, stdout: nothing, stderr: nothing }),
        start: async () => ({ kind: "failed", reason: "not-installed" }),
      }),
    },
  });
  await started.clock.advance(4_999);
  const before = started.logs.map(({ message }) => message);
  await started.clock.advance(1);

  expect(before).toEqual(["exited"]);
  expect(started.logs.map(({ message }) => message)).toEqual(["exited", "tick"]);
});

test("startExtension lists and writes files as far as granted", async () => {
  let fs: FileSystem | undefined;
  const manifest = {
    id: "acme.writer",
    version: "1.0.0",
    api: "^1",
    capabilities: { fs: { read: ["$cwd"], write: ["$cwd/out"] } },
  };
  await using started = await startExtension(
    defineExtension(manifest, (host) => {
      fs = host.fs;
    }),
    { files: { "/work/b": "bb", "/work/a/c": "c", "/work/out/old": "old", "/other/d": "d" } },
  );
  const options = { cwd: "/work", timeoutMs: 1_000 };
  const bytes = new TextEncoder().encode("new");

  expect(await fs?.list(".", { ...options, maxEntries: 2 })).toEqual({
    kind: "listed",
    path: "/work",
    leftOut: 1,
    entries: [
      { name: "a", kind: "folder", sizeBytes: 0, modifiedAtMs: 0 },
      { name: "b", kind: "file", sizeBytes: 2, modifiedAtMs: 0 },
    ],
  });
  for (const [path, reason] of [
    ["/other", "denied"],
    ["none", "not-found"],
    ["b", "not-a-folder"],
  ] as const)
    expect(await fs?.list(path, { ...options, maxEntries: 9 })).toEqual({ kind: "absent", reason });
  expect(await fs?.writeFile("b", bytes, options)).toEqual({ kind: "refused", reason: "denied" });
  expect(await fs?.writeFile("out/x/new", bytes, options)).toEqual({ kind: "refused", reason: "not-found" });
  expect(await fs?.writeFile("out/old", bytes, { ...options, expected: null })).toMatchObject({
    reason: "changed",
  });
  expect(await fs?.writeFile("out/old", bytes, { ...options, expected: bytes })).toMatchObject({
    reason: "changed",
  });
  expect(await fs?.writeFile("out/x/new", bytes, { ...options, createFolders: true })).toEqual({
    kind: "written",
    path: "/work/out/x/new",
  });
  expect(new TextDecoder().decode(started.files.get("/work/out/x/new"))).toBe("new");
});
