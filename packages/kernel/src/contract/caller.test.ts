import { expect, test } from "bun:test";
import { assertCallerReads, type Caller } from "./caller.ts";
import type { Grant } from "./capabilities.ts";
import type { Extension } from "./extension.ts";
import { defineHandle } from "./handle.ts";
import type { ServiceReference } from "./host.ts";
import { extension, newKernel } from "../testing/test-kernel.ts";

interface Door {
  name: () => string;
  open: () => string;
  hidden?: () => string;
}

const doorHandle = defineHandle<Omit<Door, "hidden">>("door@1", { name: "function", open: "function" });

/** Accepts callers whose grant names `door@1`, and returns their id. */
function door(version: string): Extension {
  const open: Door = { name: () => version, open: () => "open", hidden: () => "hidden" };
  return extension("acme.door", { version, provides: ["door@1"] }, (host) =>
    host.provideService(doorHandle, open, {
      forCaller: ({ extension: caller, trust }: Caller) =>
        trust === "core" ? {} : { open: () => `closed to ${caller} by ${version}` },
    }),
  );
}

test("a service receives its caller, also through a view kept across a swap", async () => {
  const kept: Record<string, ReturnType<ServiceReference<Door>["get"]>> = {};
  const user = (id: string): Extension =>
    extension(id, { dependsOn: { required: ["door@1"] } }, (host) => {
      kept[id] = host.getService(doorHandle).get();
    });
  const kernel = await newKernel(door("1.0.0"));
  await kernel.add([
    { extension: user("acme.own"), trust: "core" },
    { extension: user("acme.stranger"), trust: "standard" },
  ]);
  const opened = (): readonly unknown[] => Object.values(kept).flatMap((view) => [view.name(), view.open()]);

  expect(opened()).toEqual(["1.0.0", "open", "1.0.0", "closed to acme.stranger by 1.0.0"]);
  await kernel.swap("acme.door", { extension: door("1.1.0") });
  expect(opened()).toEqual(["1.1.0", "open", "1.1.0", "closed to acme.stranger by 1.1.0"]);
  expect(kernel.service(doorHandle)?.open()).toBe("open");
  expect(Object.keys(kept["acme.stranger"] ?? {})).toEqual(["name", "open"]); // Exactly the members of the handle.
});

test("assertCallerReads allows granted folders, and any folder for core extensions", () => {
  const isLet = (granted: Grant, folder: string, trust: Caller["trust"] = "standard"): boolean => {
    try {
      assertCallerReads({ extension: "acme.stranger", trust, granted }, folder);
      return true;
    } catch {
      return false;
    }
  };

  expect(isLet({}, "/srv")).toBe(false);
  expect(isLet({}, "/srv", "core")).toBe(true);
  expect(isLet({ fs: true }, "/srv")).toBe(true);
  expect(isLet({ fs: { write: ["/srv"] } }, "/srv")).toBe(false);
  expect(isLet({ fs: { read: ["/srv"] } }, "/srv/below")).toBe(true);
  expect(isLet({ fs: { read: ["/srv"] } }, "/srv/../etc")).toBe(false);
  expect(isLet({ fs: { read: ["/srv"] } }, "/srvother")).toBe(false);
  expect(isLet({ fs: { read: ["$cwd"] } }, "/anywhere")).toBe(true);
  expect(isLet({ fs: { read: ["$cwd/sub"] } }, "/anywhere")).toBe(false);
});

test("assertCallerReads rejects a folder of another type than string", () => {
  const stranger: Caller = { extension: "acme.stranger", trust: "standard", granted: { fs: { read: ["$cwd"] } } };

  expect(() => assertCallerReads(stranger, JSON.parse("[]"))).toThrow(TypeError);
});

test("a method taken from a service throws SCOPE_CLOSED after its user is unloaded", async () => {
  let take: (() => string) | undefined;
  const user = extension("acme.user", { dependsOn: { required: ["door@1"] } }, (host) => {
    take = host.getService(doorHandle).get().name;
  });
  const kernel = await newKernel(door("1.0.0"));
  await kernel.add([{ extension: user, trust: "standard" }]);

  expect(take?.()).toBe("1.0.0");
  await kernel.unload("acme.user");
  expect(() => take?.()).toThrow(expect.objectContaining({ code: "SCOPE_CLOSED" }));
});
