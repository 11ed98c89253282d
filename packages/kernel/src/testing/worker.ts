import { createKernel } from "../lifecycle/create-kernel.ts";
import { defineExtension, type Activate, type Extension, type Manifest } from "../contract/extension.ts";
import { FakeClock } from "../time/fake-clock.ts";
import { defineHandle } from "../contract/handle.ts";
import type { Host, ServiceReference } from "../contract/host.ts";
import type { ExtensionHealth, Kernel, KernelOptions } from "../contract/kernel.ts";
import { drivers } from "./test-kernel.ts";

export interface Worker {
  readonly version: string;
  say(): Promise<string>;
  wait(gate: PromiseLike<unknown>): Promise<string>;
  items(gates: Iterable<PromiseLike<unknown>>): AsyncIterable<string>;
  open(gates: Iterable<PromiseLike<unknown>>): Promise<AsyncIterable<string>>;
}
export const workerHandle = defineHandle<Worker>("worker@1");
export const workerId = "acme.worker";

export interface WorkerOptions {
  readonly manifest?: Partial<Manifest>;
  readonly log?: string[];
  readonly onActivate?: (host: Host) => void | Promise<void>;
}

export function workerOf(version: string, { manifest, log = [], onActivate }: WorkerOptions = {}): Extension {
  const activate: Activate = async (host) => {
    log.push(`${version} starts`);
    host.defer("end", () => void log.push(`${version} closed`));
    await onActivate?.(host);
    async function* items(gates: Iterable<PromiseLike<unknown>>): AsyncGenerator<string> {
      try {
        for (const gate of gates) {
          await gate;
          yield version;
        }
      } finally {
        log.push(`${version} iterated`);
      }
    }
    host.provideService(workerHandle, {
      version,
      say: async () => version,
      wait: async (gate) => {
        await gate;
        return version;
      },
      items,
      open: async (gates) => items(gates),
    });
  };
  return defineExtension({ id: workerId, version, api: "^1", provides: ["worker@1"], ...manifest }, activate);
}

export function userOf(onActivate: (worker: ServiceReference<Worker>, host: Host) => void): Extension {
  return defineExtension(
    { id: "acme.user", version: "1.0.0", api: "^1", dependsOn: { required: ["worker@1"] } },
    (host) => onActivate(host.getService(workerHandle), host),
  );
}

export interface World {
  readonly kernel: Kernel;
  readonly clock: FakeClock;
  readonly log: string[];
  readonly worker: ServiceReference<Worker>;
  readonly health: (id?: string) => ExtensionHealth | undefined;
  /** Begins a call of the worker that ends with `release`. */
  readonly begin: () => { readonly call: Promise<string>; readonly release: () => void };
}

export const noLuck = (): never => {
  throw new Error("no luck");
};

export const timeouts = {
  activateTimeoutMs: 2_000,
  releaseTimeoutMs: 1_000,
  drainTimeoutMs: 60_000,
  holdTimeoutMs: 5_000,
  graceMs: 500,
} as const satisfies Partial<KernelOptions>;

export async function newWorld(options: WorkerOptions = {}): Promise<World> {
  const clock = new FakeClock();
  const log: string[] = options.log ?? [];
  const kernel = createKernel({ drivers: drivers(clock), ...timeouts });
  const given = Promise.withResolvers<ServiceReference<Worker>>();
  await kernel.add([
    { extension: workerOf("1.0.0", { ...options, log }) },
    { extension: userOf((reference) => given.resolve(reference)) },
  ]);
  const worker = await given.promise;
  const health = (id: string = workerId): ExtensionHealth | undefined =>
    kernel.list().find((entry) => entry.id === id);
  const begin: World["begin"] = () => {
    const gate = Promise.withResolvers<void>();
    return { call: worker.get().wait(gate.promise), release: gate.resolve };
  };
  return { kernel, clock, log, worker, health, begin };
}

export async function settle(): Promise<void> {
  await new FakeClock().advance(0);
}
