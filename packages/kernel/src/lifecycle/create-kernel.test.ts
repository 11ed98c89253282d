import { describe, expect, test } from "bun:test";
import { createKernel } from "./create-kernel.ts";
import type { Extension } from "../contract/extension.ts";
import { FakeClock } from "../time/fake-clock.ts";
import type { Contributions, Host, ServiceReference } from "../contract/host.ts";
import { extensionControlHandle } from "../contract/kernel.ts";
import type { KernelError } from "../failures/kernel-error.ts";
import { storageDriverHandle, type StorageDriver } from "../contract/storage.ts";
import {
  drivers,
  extension,
  greeter,
  greeterHandle,
  newKernel,
  phases,
  refusal,
  wordsPoint,
  type Greeter,
} from "../testing/test-kernel.ts";

describe("createKernel", () => {
  test("resolves host.started after the start, immediately for later extensions, and on close", async () => {
    const log: string[] = [];
    const waiting = (id: string): Extension =>
      extension(id, {}, (host) => void host.started.then(() => log.push(id)));
    const kernel = await newKernel(waiting("acme.first"));
    const closed = await newKernel(waiting("acme.closed"));
    await kernel.add([{ extension: waiting("acme.second") }]);

    expect(log).toEqual([]);
    kernel.finishStart();
    await kernel.add([{ extension: waiting("acme.later") }]);
    expect(log).toEqual(["acme.first", "acme.second", "acme.later"]);
    await closed.close();
    expect(log.at(-1)).toBe("acme.closed");
  });

  test("starts extensions after their requirements, in any registration order", async () => {
    const log: string[] = [];
    const user = extension("acme.user", { dependsOn: { required: ["greeter@1"] } }, (host) => {
      log.push(host.getService(greeterHandle).get().greet());
    });

    const kernel = await newKernel(user, greeter());

    expect(log).toEqual(["hello"]);
    expect(phases(kernel)).toEqual({ "acme.greeter": "active", "acme.user": "active" });
  });

  test("keeps an extension waiting for a missing service and names it", async () => {
    const kernel = await newKernel(extension("acme.user", { dependsOn: { required: ["greeter@1"] } }));

    expect(kernel.list()).toMatchObject([{ phase: "waiting", waitsFor: ["greeter@1"], generation: 0 }]);
    await kernel.add([{ extension: greeter() }]);
    expect(phases(kernel)).toEqual({ "acme.greeter": "active", "acme.user": "active" });
  });

  test("rejects a dependency cycle with its ids, and registers nothing", async () => {
    const kernel = await newKernel(greeter("acme.kept", "kept"));
    const a = extension("acme.a", { provides: ["a@1"], dependsOn: { required: ["b@1"] } });
    const b = extension("acme.b", { provides: ["b@1"], dependsOn: { required: ["a@1"] } });

    const error = await refusal(kernel.add([{ extension: a }, { extension: b }]));

    expect(error).toMatchObject({
      code: "DEPENDENCY_CYCLE",
      message: expect.stringContaining('"acme.a" -> "acme.b" -> "acme.a"'),
    });
    expect(phases(kernel)).toEqual({ "acme.kept": "active" });
  });

  test("rejects a duplicate service or id, and names both extensions", async () => {
    const kernel = await newKernel(greeter());

    expect(await refusal(kernel.add([{ extension: greeter("acme.other") }]))).toMatchObject({
      code: "DUPLICATE_SERVICE",
      message: expect.stringContaining('"acme.greeter"'),
    });
    expect(await refusal(kernel.add([{ extension: extension("acme.greeter") }]))).toMatchObject({
      code: "DUPLICATE_EXTENSION",
    });
    expect(phases(kernel)).toEqual({ "acme.greeter": "active" });
  });

  const badManifests = [
    [{ id: "Bad Id" }, "MANIFEST_INVALID", "id"],
    [{ version: "one" }, "MANIFEST_INVALID", "version"],
    [{ api: "1" }, "MANIFEST_INVALID", "api"],
    [{ api: "^2" }, "API_MISMATCH", "^2"],
    [{ api: "^0.9" }, "API_MISMATCH", "^0.9"],
    [{ api: "^1.1" }, "API_MISMATCH", "^1.1"],
    [{ api: "^1.0.1" }, "API_MISMATCH", "^1.0.1"],
    [{ capabilities: { net: ["api.acme.dev"] } }, "MANIFEST_INVALID", "capabilities.net"],
    [{ capabilities: { fs: { read: ["relative"] } } }, "MANIFEST_INVALID", "capabilities.fs"],
  ] as const;
  test("accepts an api range that includes this kernel's version", async () => {
    const ranges = ["^1", "^1.0", "^1.0.0"];
    const kernel = await newKernel(...ranges.map((api, index) => extension(`acme.n${index}`, { api })));

    expect(kernel.list().map(({ phase }) => phase)).toEqual(["active", "active", "active"]);
  });

  for (const [manifest, code, named] of badManifests) {
    test(`rejects a manifest with ${JSON.stringify(manifest)} before running its code`, async () => {
      let isStarted = false;
      const kernel = createKernel({ graceMs: 0, drivers: drivers() });
      const bad = extension("acme.bad", manifest, () => {
        isStarted = true;
      });

      const error = await refusal(kernel.add([{ extension: bad }]));

      expect(error).toMatchObject({ code, message: expect.stringContaining(named) });
      expect([isStarted, kernel.list()]).toEqual([false, []]);
    });
  }

  test("marks a throwing extension as failed, releases its resources, and starts the others", async () => {
    const log: string[] = [];
    const broken = extension("acme.broken", {}, (host) => {
      host.defer("file", () => void log.push("released"));
      throw new Error("no luck");
    });

    const kernel = await newKernel(broken, greeter());

    expect(kernel.list()[0]).toMatchObject({
      phase: "failed",
      lastError: { code: "ACTIVATE_FAILED", message: expect.stringContaining("no luck") },
    });
    expect(log).toEqual(["released"]);
    expect(phases(kernel)["acme.greeter"]).toBe("active");
  });

  test("fails an activate that exceeds its timeout", async () => {
    const clock = new FakeClock();
    const kernel = createKernel({ graceMs: 0, drivers: drivers(clock), activateTimeoutMs: 1_000 });
    const adding = kernel.add([{ extension: extension("acme.slow", {}, () => new Promise(() => {})) }]);
    await clock.advance(1_000);
    await adding;

    expect(kernel.list()).toMatchObject([{ phase: "failed", lastError: { code: "ACTIVATE_TIMEOUT" } }]);
  });

  test("allows core extensions a longer activate timeout", async () => {
    const clock = new FakeClock();
    const kernel = createKernel({
      graceMs: 0,
      drivers: drivers(clock),
      coreActivateTimeoutMs: 9_000,
    });
    const stuck = extension("acme.slow", {}, () => new Promise(() => {}));
    const adding = kernel.add([{ extension: stuck, trust: "core" }]);
    await clock.advance(8_000);
    const before = phases(kernel);
    await clock.advance(1_000);
    await adding;

    expect([before, phases(kernel)]).toEqual([{ "acme.slow": "starting" }, { "acme.slow": "failed" }]);
  });

  test("fails an extension that does not provide a declared service", async () => {
    const kernel = await newKernel(extension("acme.empty", { provides: ["greeter@1"] }));

    expect(kernel.list()).toMatchObject([
      {
        phase: "failed",
        lastError: { code: "SERVICE_NOT_PROVIDED", message: expect.stringContaining("greeter@1") },
      },
    ]);
  });

  test("passes settings to an extension as transformed by its schema", async () => {
    const given: unknown[] = [];
    const kernel = createKernel({ graceMs: 0, drivers: { ...drivers(), config: (id) => ({ id }) } });
    const validate = (value: unknown): { readonly value: unknown } => ({ value: [value] });
    const schema = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const configured = extension("acme.a", {}, (host) => void given.push(host.config(schema)));

    await kernel.add([{ extension: configured }]);

    expect(given).toEqual([[{ id: "acme.a" }]]);
  });

  test("rejects a duplicate service, and one provided after activate", async () => {
    let host: Host | undefined;
    const provide = (given?: Host): void => given?.provideService(greeterHandle, { greet: () => "hello" });
    const twice = extension("acme.twice", { provides: ["greeter@1"] }, (given) => {
      provide(given);
      provide(given);
    });
    const late = extension("acme.late", { provides: ["greeter@1"] }, (given) => {
      host = given;
      provide(given);
    });
    const kernel = await newKernel(twice);
    const other = await newKernel(late);

    expect(kernel.list()).toMatchObject([{ lastError: { message: expect.stringContaining("provide it once") } }]);
    expect(phases(other)).toEqual({ "acme.late": "active" });
    expect(() => provide(host)).toThrow(expect.objectContaining({ code: "ACTIVATE_FAILED" }));
  });

  test("rejects services and points missing from the manifest", async () => {
    const codes: unknown[] = [];
    const attempt = (act: () => void): void => {
      try {
        act();
      } catch (error) {
        codes.push(error instanceof Error && "code" in error ? error.code : error);
      }
    };
    await newKernel(
      extension("acme.greedy", {}, (host) => {
        attempt(() => host.getService(greeterHandle));
        attempt(() => host.provideService(greeterHandle, { greet: () => "" }));
        attempt(() => host.contribute(wordsPoint, "x"));
        attempt(() => host.contributions(wordsPoint));
      }),
    );

    expect(codes).toEqual(["SERVICE_UNDECLARED", "SERVICE_UNDECLARED", "SERVICE_UNDECLARED", "SERVICE_UNDECLARED"]);
  });
});

describe("unload", () => {
  test("stops required dependants first, and load restarts them", async () => {
    const log: string[] = [];
    const provider = extension("acme.greeter", { provides: ["greeter@1"] }, (host) => {
      host.provideService(greeterHandle, { greet: () => "hello" });
      host.defer("provider", () => void log.push("provider closes"));
    });
    const user = extension("acme.user", { dependsOn: { required: ["greeter@1"] } }, (host) => {
      const reference = host.getService(greeterHandle);
      host.defer("user", () => void log.push(`user closes with ${reference.get().greet()}`));
    });
    const kernel = await newKernel(provider, user);

    await kernel.unload("acme.greeter");
    expect(log).toEqual(["user closes with hello", "provider closes"]);
    expect(phases(kernel)).toEqual({ "acme.greeter": "stopped", "acme.user": "waiting" });

    await kernel.load("acme.greeter");
    expect(phases(kernel)).toEqual({ "acme.greeter": "active", "acme.user": "active" });
    expect(kernel.list().map(({ generation }) => generation)).toEqual([2, 2]);
  });

  test("rejects contributions from the first release on", async () => {
    const refused: unknown[] = [];
    const contributor = extension("acme.words", { contributes: ["words@1"] }, (host) => {
      host.defer("a last word", () => {
        try {
          host.contribute(wordsPoint, "late");
        } catch (error) {
          refused.push(error);
        }
      });
    });
    const kernel = await newKernel(contributor);

    await kernel.unload("acme.words");

    expect(refused).toMatchObject([{ code: "SCOPE_CLOSED", extension: "acme.words" }]);
  });

  test("clears optional references and notifies listeners; their holder keeps running", async () => {
    const seen: (string | undefined)[] = [];
    let reference: ServiceReference<Greeter> | undefined;
    const user = extension("acme.user", { dependsOn: { optional: ["greeter@1"] } }, (host) => {
      reference = host.getService(greeterHandle);
      reference.onChange(() => void seen.push(reference?.current?.greet()));
    });
    const kernel = await newKernel(user, greeter());

    await kernel.unload("acme.greeter");
    await kernel.load("acme.greeter");

    expect(seen.slice(-2)).toEqual([undefined, "hello"]);
    expect(phases(kernel)["acme.user"]).toBe("active");
    await kernel.unload("acme.greeter");
    expect(() => reference?.get()).toThrow(expect.objectContaining({ code: "SERVICE_UNAVAILABLE" }));
  });

  test("continues when a release throws or hangs", async () => {
    const clock = new FakeClock();
    const kernel = createKernel({ graceMs: 0, drivers: drivers(clock), releaseTimeoutMs: 1_000 });
    const bad = extension("acme.bad", {}, (host) => {
      host.defer("throws", () => {
        throw new Error("broken");
      });
      host.defer("hangs", () => new Promise(() => {}));
    });
    await kernel.add([{ extension: bad }]);
    const unloading = kernel.unload("acme.bad");
    await clock.advance(1_000);

    expect(await unloading).toMatchObject({ phase: "stopped" });
  });

  test("names the known ids for an unknown id", async () => {
    const kernel = await newKernel(greeter());

    expect(await refusal(kernel.unload("acme.nobody"))).toMatchObject({
      code: "EXTENSION_UNKNOWN",
      message: expect.stringContaining("acme.greeter"),
    });
  });
});

test("contributions update live, ordered by extension id, then by call", async () => {
  let words: Contributions<string> | undefined;
  const reader = extension("acme.reader", { reads: ["words@1"] }, (host) => {
    words = host.contributions(wordsPoint);
  });
  const writer = (id: string): Extension =>
    extension(id, { contributes: ["words@1"] }, (host) => {
      host.contribute(wordsPoint, `${id} 1`);
      host.contribute(wordsPoint, `${id} 2`);
    });
  const kernel = await newKernel(writer("acme.z"), reader, writer("acme.a"));

  expect(words?.current.map(({ value }) => value)).toEqual(["acme.a 1", "acme.a 2", "acme.z 1", "acme.z 2"]);
  await kernel.unload("acme.a");
  expect(words?.current.map(({ extension: id }) => id)).toEqual(["acme.z", "acme.z"]);
});

test("the kernel provides extension-control@1", async () => {
  let ids: readonly string[] = [];
  await newKernel(
    extension("acme.admin", { dependsOn: { optional: ["extension-control@1"] } }, (host) => {
      ids = host
        .getService(extensionControlHandle)
        .get()
        .list()
        .map(({ id }) => id);
    }),
  );

  expect(ids).toEqual(["acme.admin"]);
});

test("[granted-and-no-more] an undeclared capability throws, naming the request and the declared capabilities", async () => {
  const refusals: KernelError[] = [];
  const greedy = extension("acme.greedy", { capabilities: { env: ["HOME"] } }, async (host) => {
    const options = { cwd: "/", maxBytes: 1, maxOutputBytes: 1, timeoutMs: 1 };
    refusals.push(await refusal(host.spawn.run("git", ["status"], options)));
    refusals.push(await refusal(host.fs.readFile("/etc/passwd", options)));
    refusals.push(await refusal(host.fs.list("/etc", { ...options, maxEntries: 1 })));
    refusals.push(await refusal(host.fs.writeFile("/etc/motd", new Uint8Array(), options)));
    refusals.push(await refusal(host.net.fetch("https://api.acme.dev/?key=secret")));
    refusals.push(await refusal((async () => host.storage("x"))()));
    refusals.push(
      await refusal(
        host.listen.http({
          host: "::1",
          port: 1,
          idleTimeoutSeconds: 1,
          maxBodyBytes: 1,
          fetch: () => new Response(),
        }),
      ),
    );
    expect(host.env.get("HOME")).toBe("value");
  });
  await newKernel(greedy);

  expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 7 }, () => "CAPABILITY_DENIED"));
  expect(refusals.map(({ message }) => message)).toEqual([
    'Cannot spawn "git" for "acme.greedy": its manifest declares "env"; declare "spawn"',
    'Cannot read "/etc/passwd" for "acme.greedy": its manifest declares "env"; declare "fs"',
    'Cannot list "/etc" for "acme.greedy": its manifest declares "env"; declare "fs"',
    'Cannot write "/etc/motd" for "acme.greedy": its manifest declares "env"; declare "fs"',
    'Cannot fetch "https://api.acme.dev" for "acme.greedy": its manifest declares "env"; declare "net"',
    'Cannot open storage "x" for "acme.greedy": its manifest declares "env"; declare "storage"',
    'Cannot listen on "::1:1" for "acme.greedy": its manifest declares "env"; declare "listen"',
  ]);
});

test("[granted-and-no-more] a declared capability without a grant throws", async () => {
  let denied: KernelError | undefined;
  const kernel = createKernel({ graceMs: 0, drivers: drivers() });
  const asking = extension("acme.asking", { capabilities: { spawn: ["git"] } }, async (host) => {
    denied = await refusal(host.spawn.run("git", [], { cwd: "/", maxOutputBytes: 1, timeoutMs: 1 }));
  });
  await kernel.add([{ extension: asking, grant: {} }]);

  expect(denied).toMatchObject({
    code: "CAPABILITY_DENIED",
    extension: "acme.asking",
    message: expect.stringContaining("is not granted"),
  });
});

test("an extension with storage waits for a driver, and its namespaces include its id", async () => {
  const namespaces: string[] = [];
  const driver: StorageDriver = {
    get: async (namespace) => {
      namespaces.push(namespace);
      return undefined;
    },
    list: async () => [],
    atomic: async () => ({ kind: "committed", version: 1 }),
    watch: async function* watch() {},
  };
  const user = extension("acme.user", { capabilities: { storage: true } }, async (host) => {
    await host
      .storage("notes")
      .get("k", { "~standard": { version: 1, vendor: "test", validate: () => ({ value: 1 }) } });
  });
  const kernel = await newKernel(user);
  expect(kernel.list()).toMatchObject([{ phase: "waiting", waitsFor: ["storage-driver@1"] }]);

  await kernel.add([
    {
      extension: extension("acme.store", { provides: ["storage-driver@1"] }, (host) =>
        host.provideService(storageDriverHandle, driver),
      ),
    },
  ]);

  expect(phases(kernel)["acme.user"]).toBe("active");
  expect(namespaces).toEqual(["acme.user/notes"]);
});
