import { FakeClock, type Net, type NetFetchOptions } from "@incipit/kernel";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { expect, test } from "bun:test";
import { HttpTransport, lostAnswerCode } from "./http-transport.ts";

interface Asked {
  readonly options: NetFetchOptions;
  readonly answer: (response: Response) => void;
}

function newTransport(): {
  readonly transport: HttpTransport;
  readonly asked: Asked[];
  readonly failures: string[];
} {
  const asked: Asked[] = [];
  const failures: string[] = [];
  const net: Net = {
    webSocket: () => Promise.reject(new Error("Nobody opens a socket here")),
    fetch: (_, options = {}) => {
      const { promise, resolve } = Promise.withResolvers<Response>();
      asked.push({ options, answer: resolve });
      return promise;
    },
  };
  const transport = new HttpTransport({
    url: "http://mcp.acme.dev/",
    headers: { authorization: "Bearer key" },
    net,
    clock: new FakeClock(),
    onEnd: ({ message }) => void failures.push(message),
  });
  return { transport, asked, failures };
}

const notification = { jsonrpc: "2.0", method: "notifications/x" } as const;
const accepted = (): Response => new Response(null, { status: 202 });

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise<void>((resolve) => setImmediate(resolve));
}

test("HttpTransport counts open requests and not answered ones", async () => {
  const { transport, asked, failures } = newTransport();
  await transport.start();

  for (let count = 1; count <= 300; count += 1) {
    const sent = transport.send(notification);
    await until(() => asked.length === count);
    asked.at(-1)?.answer(accepted());
    await sent;
  }
  const open = Array.from({ length: 256 }, () => transport.send(notification));
  await until(() => asked.length === 556);
  expect(failures).toEqual([]);
  const refused = await transport.send(notification).catch(String);

  expect(refused).toContain("has more than 256 requests at once");
  expect(failures).toEqual(["has more than 256 requests at once"]);
  for (const { answer } of asked) answer(accepted());
  await Promise.all(open);
});

test("HttpTransport sends its headers and aborts a request when closed", async () => {
  const { transport, asked } = newTransport();
  await transport.start();

  const sent = transport.send(notification).catch(() => "let go");
  await until(() => asked.length === 1);
  const { options } = asked[0] ?? {};
  expect(options?.signal?.aborted).toBe(false);
  await transport.close();

  expect(options?.headers).toMatchObject({ authorization: "Bearer key", "content-type": "application/json" });
  expect(options?.body).toBe(JSON.stringify(notification));
  expect(options?.signal?.aborted).toBe(true);
  asked[0]?.answer(accepted());
  await sent;
});

test("[attack:bounds-mcp-wide-message] HttpTransport fails a server whose answer has a million values, as body and event", async () => {
  const answerWith = async (count: number, type: string): Promise<readonly string[]> => {
    const { transport, asked, failures } = newTransport();
    await transport.start();
    const result = `{"jsonrpc":"2.0","id":1,"result":{"a":[${"0,".repeat(count)}0]}}`;
    const sent = transport.send({ jsonrpc: "2.0", id: 1, method: "ping" }).catch(() => undefined);
    await until(() => asked.length === 1);
    const body = type === "text/event-stream" ? `id: "\ndata: ${result}\n\n` : result;
    let isAnswered = false;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library knows callbacks alone
    transport.onmessage = () => (isAnswered = true);
    asked[0]?.answer(new Response(body, { headers: { "content-type": type } }));
    await sent;
    await until(() => isAnswered || failures.length > 0);
    return failures;
  };

  for (const type of ["application/json", "text/event-stream"]) {
    expect(await answerWith(1_000_000, type)).toEqual(["sent a message made of more than 200000 values"]);
    expect(await answerWith(10_000, type)).toEqual([]);
  }
});

test("HttpTransport answers a request whose stream ends without an answer, and nothing else", async () => {
  const { transport, asked } = newTransport();
  const answers: JSONRPCMessage[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library knows callbacks alone
  transport.onmessage = (message) => void answers.push(message);
  await transport.start();
  const ended = (): Response => new Response(":\n\n", { headers: { "content-type": "text/event-stream" } });
  const messages = [
    notification,
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: 2, method: "ping" },
  ] as const;

  for (const [index, message] of messages.entries()) {
    const sent = transport.send(message);
    await until(() => asked.length === index + 1);
    asked[index]?.answer(ended());
    await sent;
  }
  await until(() => answers.length > 0);

  expect(answers).toMatchObject([{ id: 2, error: { code: lostAnswerCode } }]);
});
