import { createKernel, defineExtension, defineHandle, type Host } from "@incipit/kernel";
import avvio from "avvio";
import { Context, Service } from "cordis";
import { emptyDrivers, systemClock } from "./drivers.ts";
import type { Counter } from "./kernel-loaders.ts";

declare module "cordis" {
  interface Context {
    counter: Counter;
    counterService: Counter;
  }
}

/** Makes `count` sequential calls, each with the previous result. */
export type CallLoop = (count: number) => Promise<number>;

/** Trivial, so that only the call path is timed. */
async function next(value: number): Promise<number> {
  return value + 1;
}

const handle = defineHandle<Counter>("bench.counter@1");

async function startKernel(): Promise<Host> {
  const started = Promise.withResolvers<Host>();
  const provider = defineExtension(
    { id: "bench.provider", version: "1.0.0", api: "^1", provides: [handle.id] },
    (host) => host.provideService(handle, { next }),
  );
  const user = defineExtension(
    { id: "bench.user", version: "1.0.0", api: "^1", dependsOn: { required: [handle.id] } },
    (host) => started.resolve(host),
  );
  await createKernel({ drivers: emptyDrivers(systemClock) }).add([{ extension: provider }, { extension: user }]);
  return started.promise;
}

class CounterService extends Service {
  constructor(ctx: Context) {
    super(ctx, "counterService");
  }

  async next(value: number): Promise<number> {
    return value + 1;
  }
}

/** Context of a plugin that uses two other plugins' services. */
async function startCordis(): Promise<{ readonly ctx: Context }> {
  const started = Promise.withResolvers<{ readonly ctx: Context }>();
  const root = new Context();
  await root.plugin(CounterService);
  await root.plugin({ name: "provider", apply: (ctx: Context) => void ctx.provide("counter", { next }) });
  const inject = ["counter", "counterService"];
  await root.plugin({ name: "user", inject, apply: (ctx: Context) => started.resolve({ ctx }) });
  return started.promise;
}

async function startAvvio(): Promise<Counter> {
  const server: Counter = { next: async () => Number.NaN };
  const app = avvio(server);
  app.use(async (instance) => {
    instance.next = next;
  });
  await app.ready();
  return server;
}

/** A separate loop per system: a shared one would be optimized for none. */
export async function callLoops(): Promise<Readonly<Record<string, CallLoop>>> {
  const host = await startKernel();
  const reference = host.getService(handle);
  const { ctx } = await startCordis();
  const server = await startAvvio();
  return {
    async plain(count) {
      let value = 0;
      for (let index = 0; index < count; index += 1) value = await next(value);
      return value;
    },
    async reference(count) {
      let value = 0;
      for (let index = 0; index < count; index += 1) value = await reference.get().next(value);
      return value;
    },
    async getService(count) {
      let value = 0;
      for (let index = 0; index < count; index += 1) value = await host.getService(handle).get().next(value);
      return value;
    },
    async cordisValue(count) {
      let value = 0;
      for (let index = 0; index < count; index += 1) value = await ctx.counter.next(value);
      return value;
    },
    async cordisService(count) {
      let value = 0;
      for (let index = 0; index < count; index += 1) value = await ctx.counterService.next(value);
      return value;
    },
    async avvio(count) {
      let value = 0;
      for (let index = 0; index < count; index += 1) value = await server.next(value);
      return value;
    },
  };
}
