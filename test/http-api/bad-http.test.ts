import { afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { parseEvents } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(HostWorld.create({ model: "offline/echo" }));
const host = await world.start();
const { id } = await host.createConversation();
const slow = await Promise.all(
  Array.from({ length: 200 }, async () => {
    const socket = await open();
    socket.write("GET /health HTTP/1.1\r\nx-slow: ");
    return socket;
  }),
);

afterEach(async () => {
  const events = await host.turn(id, { input: "Hello" });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(await host.json("/health")).toMatchObject({ status: "ok", problems: [] });
});

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(host.url).port), "127.0.0.1");
  socket.on("error", () => {}); // The host closes many of these connections.
  await once(socket, "connect");
  return socket;
}

function head(request: string, more = ""): string {
  return `${request}\r\nHost: ${new URL(host.url).host}\r\nAuthorization: Bearer ${host.token}\r\n${more}\r\n`;
}

async function exchange(text: string, isEnough: (answered: string) => boolean = () => false): Promise<string> {
  const socket = await open();
  let answered = "";
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.setEncoding("utf8").on("close", resolve);
  socket.on("data", (data: string) => {
    answered += data;
    if (isEnough(answered)) resolve();
  });
  socket.write(text);
  await promise;
  socket.destroy();
  return answered;
}

const last = "Connection: close\r\n";

test("the host accepts a GET with a body, also for event streams", async () => {
  const conversation = await exchange(
    head(`GET /conversations/${id} HTTP/1.1`, `${last}Content-Length: 5\r\n`) + "hello",
  );
  const events = await exchange(
    head(`GET /conversations/${id}/events?after=0 HTTP/1.1`, "Content-Length: 5\r\n") + "hello",
    (answered) => answered.includes('"turn-end"') || answered.includes("keep open"),
  );
  const tooLarge = await exchange(
    head(`GET /conversations/${id}/events HTTP/1.1`, "Content-Length: 20000000\r\n") + "hello",
    (answered) => answered.includes("}}"),
  );

  expect(conversation).toStartWith("HTTP/1.1 200 ");
  expect(conversation).toContain(id);
  expect(events).toStartWith("HTTP/1.1 200 ");
  expect(tooLarge).toContain('"BODY_TOO_LARGE"');
});

test("the host disconnects after 10,000 headers, a 100 KiB URL or a 100 MB header", async () => {
  const headers = Array.from({ length: 10_000 }, (_, index) => `x-${index}: v\r\n`).join("");

  expect(await exchange(head("GET /health HTTP/1.1", headers))).toStartWith("HTTP/1.1 431 ");
  expect(await exchange(head(`GET /health?${"x".repeat(102_400)} HTTP/1.1`))).toStartWith("HTTP/1.1 431 ");
  await exchange(head("GET /health HTTP/1.1", `x: ${"v".repeat(100_000_000)}\r\n`));
}, 300_000);

test("the host answers HTTP/1.0 and requires Host and token", async () => {
  expect(await exchange(head("GET /health HTTP/1.0"))).toMatch(/^HTTP\/1\.1 200 [^]*"status":"ok"/);
  expect(await exchange("GET /health HTTP/1.0\r\n\r\n")).toContain('"FORBIDDEN_HOST"');
  expect(await exchange(`GET /conversations HTTP/1.0\r\nHost: ${new URL(host.url).host}\r\n\r\n`)).toContain(
    '"UNAUTHORIZED"',
  );
  const turn = await exchange(
    head(`POST /conversations/${id}/turns HTTP/1.0`, "Content-Length: 13\r\n") + '{"input":"x"}',
  );
  expect(parseEvents(turn).at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
});

test("the host answers pipelined requests in order", async () => {
  const paths = ["/health", `/conversations/${id}`, "/nothing", "/models"];
  const requests = paths.map((path, index) => head(`GET ${path} HTTP/1.1`, index === paths.length - 1 ? last : ""));

  const answers = (await exchange(requests.join(""))).split(/(?=HTTP\/1\.1 )/);

  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(["200", "200", "404", "200"]);
  for (const [index, fact] of ['"status":"ok"', id, "ROUTE_UNKNOWN", "offline/echo"].entries())
    expect(answers[index]).toContain(fact);
});

test("the host rejects malformed and smuggled requests without starting a turn", async () => {
  const turn = `POST /conversations/${id}/turns HTTP/1.1`;
  const before = await host.json(`/conversations/${id}`);
  const requests = [
    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000hello\r\n\r\n",
    "GET /health HTTP/1.1\r\n\r\n",
    head("GET health HTTP/1.1"),
    head(turn, "Content-Length: -1\r\n"),
    head(turn, "Content-Length: 99999999999999999999\r\n"),
    head(turn, "Content-Length: 13\r\nTransfer-Encoding: chunked\r\n") + '0\r\n\r\n{"input":"x"}',
    `${head(turn, "Transfer-Encoding: chunked\r\n")}ZZ\r\n{"input":"x"}`,
  ];
  for (const request of requests) expect(await exchange(request)).toStartWith("HTTP/1.1 400 ");
  const twoHosts = await exchange(head("GET /health HTTP/1.1", `Host: evil.example\r\n${last}`));

  expect(twoHosts).toContain('"FORBIDDEN_HOST"');
  expect(await host.json(`/conversations/${id}`)).toEqual(before);
});

test("the host disconnects clients with unfinished heads while serving others", async () => {
  await Promise.all(slow.map(async (socket) => socket.closed || once(socket, "close")));
  expect(slow.every(({ closed }) => closed)).toBe(true);
}, 300_000);
