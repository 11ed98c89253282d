import type { ListenOptions } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { systemClock } from "./clock.ts";
import { createListen } from "./listen.ts";

const options: ListenOptions = {
  host: "127.0.0.1",
  port: 0,
  idleTimeoutSeconds: 10,
  maxBodyBytes: 1_000,
  fetch: () => new Response("answer"),
};

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "it listens",
    (error: unknown) => error,
  );
}

test("http listens on a free port, and refuses a body over the limit before it is read", async () => {
  const listener = await createListen(systemClock).http(options);
  const url = `http://127.0.0.1:${listener.port}`;

  const small = await fetch(url);
  const large = await fetch(url, { method: "POST", body: "x".repeat(1_001) });
  await listener.close(1_000);

  expect(await small.text()).toBe("answer");
  expect(large.status).toBe(413);
});

test("http says what to do when the port is taken, and when the address is not this machine's", async () => {
  const listen = createListen(systemClock);
  const listener = await listen.http(options);

  const taken = await failureOf(listen.http({ ...options, port: listener.port }));
  const takenByName = await failureOf(listen.http({ ...options, host: "localhost", port: listener.port }));
  const elsewhere = await failureOf(listen.http({ ...options, host: "203.0.113.7" }));
  await listener.close(1_000);

  expect(taken).toMatchObject({ message: expect.stringContaining(`Port ${listener.port} of 127.0.0.1 is in use`) });
  expect(takenByName).toMatchObject({ message: expect.stringContaining("in use") });
  expect(elsewhere).toMatchObject({ message: expect.stringContaining('"203.0.113.7" is no address') });
});

test("close lets an answer end that has begun, and cuts it at the deadline", async () => {
  const gate = Promise.withResolvers<Response>();
  const listen = createListen(systemClock);
  const listener = await listen.http({ ...options, fetch: () => gate.promise });
  const answer = fetch(`http://127.0.0.1:${listener.port}`).then((response) => response.text());
  while (listen.pendingRequests === 0) await new Promise<void>((resolve) => setImmediate(resolve));

  const closed = listener.close(5_000);
  gate.resolve(new Response("late"));
  expect(await answer).toBe("late");
  await closed;

  const stuck = await listen.http({ ...options, fetch: () => new Promise<Response>(() => {}) });
  const cut = failureOf(fetch(`http://127.0.0.1:${stuck.port}`));
  while (listen.pendingRequests === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  await stuck.close(20);
  expect(await cut).toBeInstanceOf(Error);
});
