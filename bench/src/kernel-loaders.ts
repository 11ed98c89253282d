import { createKernel, defineExtension, defineHandle, type Extension, type LoadRequest } from "@incipit/kernel";
import avvio from "avvio";
import { Context } from "cordis";
import { emptyDrivers, systemClock } from "./drivers.ts";

export interface Counter {
  next(value: number): Promise<number>;
}

interface Part {
  readonly name: string;
  readonly requires: readonly string[];
}

export interface Loaded {
  /** Replaces the extension at an index with fresh code; resolves when its dependents are back. Absent: unsupported. */
  readonly swap?: (index: number) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

/** Prepares extensions and returns the function that loads them, which is the timed part. */
type Loader = (size: number) => () => Promise<Loaded>;

/**
 * Each provides a service. All use that of the first, as most extensions of a host use its storage, and that of the
 * one at half their index; every fourth one also that of its predecessor. Each comes after its requirements.
 */
function graph(size: number): readonly Part[] {
  return Array.from({ length: size }, (_value, index) => {
    const required = [0, index >> 1, index % 4 === 3 ? index - 1 : 0].filter((other) => other < index);
    return { name: `part${index}`, requires: [...new Set(required)].map((other) => `part${other}`) };
  });
}

function kernelExtension({ name, requires }: Part): Extension {
  const handle = defineHandle<Counter>(`bench.${name}@1`);
  const required = requires.map((other) => defineHandle<Counter>(`bench.${other}@1`));
  return defineExtension(
    {
      id: `bench.${name}`,
      version: "1.0.0",
      api: "^1",
      dependsOn: { required: required.map(({ id }) => id) },
      provides: [handle.id],
    },
    (host) => {
      const references = required.map((other) => host.getService(other));
      host.provideService(handle, { next: async (value) => value + references.length });
    },
  );
}

const kernel: Loader = (size) => {
  const requests: readonly LoadRequest[] = graph(size).map((part) => ({ extension: kernelExtension(part) }));
  return async () => {
    const host = createKernel({ drivers: emptyDrivers(systemClock) });
    await host.add(requests);
    const missing = host.list().find(({ phase }) => phase !== "active");
    if (missing !== undefined) throw new Error(`${missing.id} is ${missing.phase}`);
    return {
      async swap(index) {
        const { outcome } = await host.swap(`bench.part${index}`, requests[index]);
        if (outcome !== "swapped") throw new Error(`A swap ended ${outcome}`);
      },
      close: () => host.close(),
    };
  };
};

const cordis: Loader = (size) => {
  const plugins = graph(size).map(({ name, requires }) => ({
    name,
    inject: [...requires],
    apply(ctx: Context) {
      const required = requires.map((other): unknown => ctx.get(other));
      ctx.provide(name, { next: async (value: number) => value + required.length } satisfies Counter);
    },
  }));
  return async () => {
    const root = new Context();
    const fibers: ReturnType<Context["plugin"]>[] = [];
    for (const plugin of plugins) {
      const fiber = root.plugin(plugin);
      await fiber;
      fibers.push(fiber);
    }
    const missing = plugins.find(({ name }) => root.get(name) === undefined);
    if (missing !== undefined) throw new Error(`${missing.name} is not loaded`);
    return {
      async swap(index) {
        const plugin = plugins[index];
        if (plugin === undefined) throw new Error(`There is no plugin ${index}`);
        await fibers[index]?.dispose();
        fibers[index] = root.plugin(plugin);
        for (const fiber of fibers.slice(index)) await fiber; // Dependents were stopped, and restart in order.
        if (plugins.some(({ name }) => root.get(name) === undefined)) throw new Error("A plugin did not come back");
      },
      close: () => root.fiber.dispose(),
    };
  };
};

const bootedByAvvio: Loader = (size) => {
  const parts = graph(size);
  return async () => {
    const services = new Map<string, Counter>();
    const app = avvio({ services });
    for (const { name, requires } of parts) {
      app.use(async (server) => {
        const required = requires.map((other) => server.services.get(other));
        server.services.set(name, { next: async (value) => value + required.length });
      });
    }
    await app.ready();
    if (services.size !== size) throw new Error("A plugin is not loaded");
    return { close: () => app[Symbol.asyncDispose]() };
  };
};

export const loaders = { kernel, cordis, avvio: bootedByAvvio } as const;
