import type { Net, Spawn } from "@incipit/kernel";
import type { createNet } from "./net/net.ts";
import type { createSpawn } from "./programs/spawn.ts";

/** Keeps the start fast. */
export function netAtFirstUse(...options: Parameters<typeof createNet>): Net {
  const driver = once(async () => (await import("./net/net.ts")).createNet(...options));
  return {
    fetch: async (url, fetchOptions) => (await driver()).fetch(url, fetchOptions),
    webSocket: async (url, socketOptions) => (await driver()).webSocket(url, socketOptions),
  };
}

export function spawnAtFirstUse(...options: Parameters<typeof createSpawn>): Spawn {
  const driver = once(async () => (await import("./programs/spawn.ts")).createSpawn(...options));
  return {
    run: async (program, args, runOptions) => (await driver()).run(program, args, runOptions),
    start: async (program, args, startOptions) => (await driver()).start(program, args, startOptions),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
