import type { Clock, Drivers } from "@incipit/kernel";

/** A deadline costs a timer, as in a host. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** For measuring the kernel, or extensions that need no drivers. */
export function emptyDrivers(clock: Clock): Drivers {
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
      webSocket: () => Promise.reject(new Error("Nobody opens a socket here")),
      fetch: async () => new Response(),
    }),
    env: () => ({ get: () => undefined }),
    listen: () => ({ http: async ({ host, port }) => ({ host, port, close: async () => {} }) }),
    log: () => log,
    config: () => ({}),
  };
}
