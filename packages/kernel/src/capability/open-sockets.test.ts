import { expect, test } from "bun:test";
import type { NetSocket } from "../contract/capabilities.ts";
import { OpenSockets } from "./open-sockets.ts";

test("OpenSockets aborts open and opening sockets when the activation ends", async () => {
  const releases: (() => unknown)[] = [];
  const sockets = new OpenSockets({ defer: (_, release) => void releases.push(release) });
  const signals: AbortSignal[] = [];
  const ended = Promise.withResolvers<never>();
  const socket: NetSocket = {
    messages: (async function* () {})(),
    ended: ended.promise,
    send: () => undefined,
    close: () => undefined,
  };
  const open = (signal: AbortSignal): Promise<NetSocket> => {
    signals.push(signal);
    return Promise.resolve(socket);
  };
  await sockets.open(open, undefined);
  const own = new AbortController();
  await sockets.open(open, own.signal);
  own.abort();

  for (const release of releases) await release();
  await sockets.open(open, undefined);

  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});
