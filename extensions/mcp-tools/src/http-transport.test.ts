import { FakeClock, type Net, type NetFetchOptions } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { HttpTransport } from "./http-transport.ts";

interface Asked {
  readonly options: NetFetchOptions;
  readonly answer: (response: Response) => void;
}

/** A transport whose requests the test answers. */
function newTransport(): {
  readonly transport: HttpTransport;
  readonly asked: Asked[];
  readonly failures: string[];
} {
  const asked: Asked[] = [];
  const failures: string[] = [];
  const net: Net = {
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

/** Looks again after each turn of the event loop. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise<void>((resolve) => setImmediate(resolve));
}

test("HttpTransport counts the requests that are open, and not those that were answered", async () => {
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

test("HttpTransport sends its headers, and lets go of a request when it is closed", async () => {
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
