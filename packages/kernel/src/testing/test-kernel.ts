import { createKernel } from "../lifecycle/create-kernel.ts";
import { defineExtension, type Activate, type Extension, type Manifest } from "../contract/extension.ts";
import { FakeClock } from "../time/fake-clock.ts";
import { defineHandle, definePoint } from "../contract/handle.ts";
import type { Drivers, Kernel } from "../contract/kernel.ts";
import type { KernelError } from "../failures/kernel-error.ts";

export interface Greeter {
  greet(): string;
}
export const greeterHandle = defineHandle<Greeter>("greeter@1");
export const wordsPoint = definePoint<string>("words@1");

export function drivers(clock = new FakeClock()): Drivers {
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  return {
    clock,
    fs: () => ({
      readFile: async () => ({ kind: "absent", reason: "not-found" }),
      list: async () => ({ kind: "absent", reason: "not-found" }),
      readFolder: async () => ({ kind: "absent", reason: "not-found" }),
      locate: async () => ({ kind: "refused", reason: "not-found" }),
      writeFile: async () => ({ kind: "refused", reason: "not-found" }),
      removeFile: async () => ({ kind: "refused", reason: "not-found" }),
    }),
    spawn: () => ({
      run: async () => ({ kind: "failed", reason: "not-installed" }),
      start: async () => ({ kind: "failed", reason: "not-installed" }),
    }),
    net: () => ({
      fetch: async () => new Response(""),
      webSocket: () => Promise.reject(new Error("No socket here")),
    }),
    env: () => ({ get: () => "value" }),
    listen: () => ({ http: async ({ host, port }) => ({ host, port, close: async () => {} }) }),
    log: () => log,
    config: () => ({}),
  };
}

export function extension(id: string, manifest: Partial<Manifest> = {}, activate: Activate = () => {}): Extension {
  return defineExtension({ id, version: "1.0.0", api: "^1", ...manifest }, activate);
}

export function greeter(id = "acme.greeter", text = "hello"): Extension {
  return extension(id, { provides: ["greeter@1"] }, (host) =>
    host.provideService(greeterHandle, { greet: () => text }),
  );
}

export async function newKernel(...extensions: readonly Extension[]): Promise<Kernel> {
  const kernel = createKernel({ graceMs: 0, drivers: drivers() });
  await kernel.add(extensions.map((entry) => ({ extension: entry })));
  return kernel;
}

export function phases(kernel: Kernel): Readonly<Record<string, string>> {
  return Object.fromEntries(kernel.list().map(({ id, phase }) => [id, phase]));
}

export async function refusal(promise: Promise<unknown>): Promise<KernelError> {
  return promise.then(
    () => {
      throw new Error("It was not refused");
    },
    (error: KernelError) => error,
  );
}
