import { createClient } from "@incipit/transport-contract";
import { expect, spyOn, test } from "bun:test";
import { eventsOf } from "./events-of.ts";

test("eventsOf does not wait if the signal aborts while it learns that the host is away", async () => {
  const stop = new AbortController();
  const client = createClient({
    url: "http://host.test",
    token: "token",
    fetch: () => Promise.reject(new TypeError("connection refused")),
  });
  using timers = spyOn(globalThis, "setTimeout");

  const events = await Array.fromAsync(
    eventsOf({ client, id: "conversation", afterSeq: 0, signal: stop.signal, onAway: () => stop.abort() }),
  );

  expect(events).toEqual([]);
  // Delay of the first retry.
  expect(timers.mock.calls.filter(([, waitMs]) => waitMs === 250)).toEqual([]);
});
