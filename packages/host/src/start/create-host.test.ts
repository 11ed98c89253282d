import { defineExtension, defineHandle, storageDriverHandle, type Extension } from "@incipit/kernel";
import { httpEndpointHandle } from "@incipit/service-contract";
import { createMemoryStorage, createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { DataFolder } from "../data-folder/data-folder.ts";
import { createHost } from "./create-host.ts";

interface Notes {
  add(text: string): Promise<void>;
  all(): Promise<readonly string[]>;
}

const notesHandle = defineHandle<Notes>("acme.notes@1");

function memory(activate: () => void = () => {}): Extension {
  return defineExtension(
    { id: "acme.memory", version: "1.0.0", api: "^1", provides: [storageDriverHandle.id] },
    (host) => {
      activate();
      host.provideService(storageDriverHandle, createMemoryStorage());
    },
  );
}

const notes = defineExtension(
  { id: "acme.notes", version: "1.0.0", api: "^1", capabilities: { storage: true }, provides: [notesHandle.id] },
  (host) => {
    const { prefix } = host.config(z.strictObject({ prefix: z.string().default("") }));
    const store = host.storage("notes");
    host.provideService(notesHandle, {
      add: (text) => store.set("last", `${prefix}${text}`),
      all: async () => [(await store.get("last", z.string())) ?? "none"],
    });
  },
);

function failureOf(work: () => unknown): Promise<unknown> {
  return (async () => work())().then(
    () => "nothing failed",
    (error: unknown) => error,
  );
}

test("createHost starts a host without HTTP, and service() returns services of its extensions", async () => {
  await using temp = await createTempFolder();
  const dataFolder = join(temp.path, "data");
  await using host = await createHost({
    dataFolder,
    extensions: [memory(), { extension: notes, settings: () => ({ prefix: "note: " }) }],
  });

  await host.service(notesHandle).add("buy milk");

  expect(await host.service(notesHandle).all()).toEqual(["note: buy milk"]);
  expect(host.url).toBeUndefined();
  expect(host.kernel.list().map(({ id, phase, trust }) => [id, phase, trust])).toEqual([
    ["acme.memory", "active", "core"],
    ["acme.notes", "active", "core"],
  ]);
});

test("service() reports a missing or stopped provider", async () => {
  await using temp = await createTempFolder();
  const failing = defineExtension({ ...notes.manifest, id: "acme.failing" }, () => {
    throw new Error("no ink");
  });
  await using host = await createHost({ dataFolder: temp.path, extensions: [memory(), failing] });

  const refusal = await failureOf(() => host.service(notesHandle));
  expect(refusal).toMatchObject({ code: "SERVICE_UNAVAILABLE", extension: "acme.failing" });
  expect(String(refusal)).toContain('"acme.notes@1"');
  expect(String(refusal)).toContain("no ink");
  expect(await failureOf(() => host.service(defineHandle("acme.other@1")))).toMatchObject({
    message: expect.stringContaining("no extension of this host provides it"),
  });
});

test("createHost frees the data folder when it ends, and reports the holder before", async () => {
  await using temp = await createTempFolder();
  const options = { dataFolder: temp.path, extensions: [memory(), notes] };
  const host = await createHost(options);

  const second = String(await failureOf(() => createHost(options)));
  for (const fact of ["DataFolderHeld", ` ${process.pid},`, "no HTTP API"]) expect(second).toContain(fact);
  await host.close();

  expect(DataFolder.look(temp.path)).toEqual({ kind: "free" });
  await using next = await createHost(options);
  expect(await next.service(notesHandle).all()).toEqual(["none"]);
});

test("createHost fails without its storage or HTTP API, hides secrets, and frees the folder", async () => {
  await using temp = await createTempFolder();
  const broken = memory(() => {
    throw new Error("the disk of <planted-secret-1> is gone");
  });
  const deaf = defineExtension(
    { id: "acme.http", version: "1.0.0", api: "^1", provides: [httpEndpointHandle.id] },
    () => {
      throw new Error("the port is taken");
    },
  );
  const secrets = ["planted-secret-1"];

  const withoutStorage = await failureOf(() =>
    createHost({ dataFolder: temp.path, extensions: [broken], secrets }),
  );
  const withoutHttp = await failureOf(() => createHost({ dataFolder: temp.path, extensions: [memory(), deaf] }));

  expect(withoutStorage).toMatchObject({ name: "HostStartError" });
  expect(String(withoutStorage)).toContain("the disk of <[redacted:secret]> is gone");
  expect(withoutHttp).toMatchObject({ message: expect.stringContaining("the port is taken") });
  expect(DataFolder.look(temp.path)).toEqual({ kind: "free" });
  await using host = await createHost({
    dataFolder: temp.path,
    extensions: [memory(), { extension: deaf, isDisabled: true }],
  });
  expect(host.kernel.list().find(({ id }) => id === "acme.http")?.phase).toBe("stopped");
});

test("createHost limits extensions to their grants, without variables", async () => {
  await using temp = await createTempFolder();
  const asking = (id: string): Extension =>
    defineExtension(
      { id, version: "1.0.0", api: "^1", capabilities: { env: ["HOME"], storage: true }, provides: [`${id}@1`] },
      (host) =>
        host.provideService(defineHandle<{ home(): string | undefined }>(`${id}@1`), {
          home: () => host.env.get("HOME"),
        }),
    );
  const homeOf = (id: `${string}@1`): (() => string | undefined) => {
    const handle = defineHandle<{ home(): string | undefined }>(id);
    return () => host.service(handle).home();
  };
  await using host = await createHost({
    dataFolder: temp.path,
    extensions: [memory(), asking("acme.a"), { extension: asking("acme.b"), grant: { storage: true } }],
  });

  expect(homeOf("acme.a@1")()).toBeUndefined();
  expect(await failureOf(homeOf("acme.b@1"))).toMatchObject({ code: "CAPABILITY_DENIED" });
});
