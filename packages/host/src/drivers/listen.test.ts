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

test("http listens on a free port and rejects an oversized body before reading it", async () => {
  const listener = await createListen(systemClock).of("acme.web").http(options);
  const url = `http://127.0.0.1:${listener.port}`;

  const small = await fetch(url);
  const large = await fetch(url, { method: "POST", body: "x".repeat(1_001) });
  await listener.close(1_000);

  expect(await small.text()).toBe("answer");
  expect(large.status).toBe(413);
});

test("http reports a remedy for a taken port and for a foreign address", async () => {
  const driver = createListen(systemClock);
  const listen = driver.of("acme.web");
  const listener = await listen.http(options);

  const taken = await failureOf(driver.of("acme.other").http({ ...options, port: listener.port }));
  const takenByName = await failureOf(listen.http({ ...options, host: "localhost", port: listener.port }));
  const elsewhere = await failureOf(listen.http({ ...options, host: "203.0.113.7" }));
  await listener.close(1_000);

  expect(taken).toMatchObject({ message: expect.stringContaining(`Port ${listener.port} of 127.0.0.1 is in use`) });
  expect(takenByName).toMatchObject({ message: expect.stringContaining("in use") });
  expect(elsewhere).toMatchObject({ message: expect.stringContaining('"203.0.113.7" is not an address') });
});

test("close waits for responses in progress until the deadline, then cuts them", async () => {
  const gate = Promise.withResolvers<Response>();
  const driver = createListen(systemClock);
  const listen = driver.of("acme.web");
  const listener = await listen.http({ ...options, fetch: () => gate.promise });
  const answer = fetch(`http://127.0.0.1:${listener.port}`).then((response) => response.text());
  while (driver.pendingRequests === 0) await new Promise<void>((resolve) => setImmediate(resolve));

  const closed = listener.close(5_000);
  gate.resolve(new Response("late"));
  expect(await answer).toBe("late");
  await closed;

  const stuck = await listen.http({ ...options, fetch: () => new Promise<Response>(() => {}) });
  const cut = failureOf(fetch(`http://127.0.0.1:${stuck.port}`));
  while (driver.pendingRequests === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  await stuck.close(20);
  expect(await cut).toBeInstanceOf(Error);
});

test("http hands a port to the next generation without refused or cut connections", async () => {
  const driver = createListen(systemClock);
  const slow = Promise.withResolvers<Response>();
  const first = await driver.of("acme.web").http({ ...options, fetch: () => slow.promise });
  const url = `http://127.0.0.1:${first.port}`;
  const begun = fetch(url).then((response) => response.text());
  while (driver.pendingRequests === 0) await new Promise<void>((resolve) => setImmediate(resolve));

  const second = await driver.of("acme.web").http({ ...options, fetch: () => new Response("second") });
  const during = await (await fetch(url)).text();
  await first.close(1_000);
  slow.resolve(new Response("first"));

  expect(second.port).toBe(first.port);
  expect([during, await begun, await (await fetch(url)).text()]).toEqual(["second", "first", "second"]);
  await second.close(1_000);
  expect(await failureOf(fetch(url))).toBeInstanceOf(Error);
});

test("http returns a port to the previous generation if the next fails to start", async () => {
  const driver = createListen(systemClock);
  const first = await driver.of("acme.web").http(options);
  const second = await driver.of("acme.web").http({ ...options, fetch: () => new Response("second") });

  await second.close(1_000);

  expect(await (await fetch(`http://127.0.0.1:${first.port}`)).text()).toBe("answer");
  await first.close(1_000);
});

test("http opens two ports for one generation that requests any free port twice", async () => {
  const listen = createListen(systemClock).of("acme.web");
  const ports = [await listen.http(options), await listen.http(options)];

  expect(ports[0]?.port).not.toBe(ports[1]?.port);
  await Promise.all(ports.map((port) => port.close(1_000)));
});

test("close frees the port immediately, despite kept-alive connections", async () => {
  const driver = createListen(systemClock);
  const listener = await driver.of("acme.web").http(options);
  const again = { ...options, port: listener.port, fetch: () => new Response("another") };
  await (await fetch(`http://127.0.0.1:${listener.port}`)).text();
  const before = await failureOf(driver.of("acme.other").http(again));

  await listener.close(1_000);
  const other = await driver.of("acme.other").http(again);

  expect(before).toMatchObject({ message: expect.stringContaining("is in use") });
  expect(await (await fetch(`http://127.0.0.1:${listener.port}`)).text()).toBe("another");
  await other.close(1_000);
  expect(await failureOf(fetch(`http://127.0.0.1:${listener.port}`))).toBeInstanceOf(TypeError);
});

test("close does not wait for an incomplete request", async () => {
  const listener = await createListen(systemClock).of("acme.web").http(options);
  const client = await Bun.connect({ hostname: "127.0.0.1", port: listener.port, socket: { data() {} } });
  client.write("GET / HTTP");
  await (await fetch(`http://127.0.0.1:${listener.port}`)).text();

  await listener.close(60_000);

  client.end();
});
