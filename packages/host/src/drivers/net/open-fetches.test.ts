import { expect, test } from "bun:test";
import { systemClock } from "../clock.ts";
import { createNet } from "./net.ts";
import { OpenFetches } from "./open-fetches.ts";

function counted(fetches: OpenFetches, send: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
  return fetches.count(signal ?? new AbortController().signal, send);
}

test("count holds a slot until the body ends, fails or is cancelled, or on abort", async () => {
  const fetches = new OpenFetches({ BUN_CONFIG_MAX_HTTP_REQUESTS: "2" });
  const stop = new AbortController();
  const answer = (): Promise<Response> => Promise.resolve(new Response("all of it"));
  const ends: Readonly<Record<string, (response: Response) => Promise<unknown>>> = {
    read: (response) => response.text(),
    cancelled: (response) => response.body?.cancel() ?? Promise.resolve(),
    stopped: async () => stop.abort(),
  };

  for (const end of Object.values(ends)) {
    const response = await counted(fetches, answer, stop.signal);
    expect(fetches.hasRoom).toBe(false);
    await end(response);
    expect(fetches.hasRoom).toBe(true);
  }
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("broken")) });
  const failing = await counted(fetches, async () => new Response(broken));
  expect(await failing.text().catch((error: unknown) => error)).toMatchObject({ message: "broken" });
  await counted(fetches, async () => new Response(null, { status: 204 }));
  await counted(fetches, () => Promise.reject(new Error("refused"))).catch(() => undefined);
  expect(fetches.hasRoom).toBe(true);
});

test("count releases the slot of a garbage-collected body", async () => {
  const fetches = new OpenFetches({ BUN_CONFIG_MAX_HTTP_REQUESTS: "2" });
  await (async () => {
    const response = await counted(fetches, async () => new Response("all of it"));
    expect(response.status).toBe(200);
  })();

  for (let tries = 0; tries < 100 && !fetches.hasRoom; tries += 1) {
    Bun.gc(true);
    await new Promise((resolve) => setImmediate(resolve));
  }

  expect(fetches.hasRoom).toBe(true);
});

test("fetch answers 300 concurrent requests", async () => {
  let open = 0;
  const all = Promise.withResolvers<void>();
  using server = Bun.serve({
    port: 0,
    fetch: async () => {
      open += 1;
      if (open === 300) all.resolve();
      await all.promise;
      return new Response("there");
    },
  });
  const net = createNet("acme.caller", true, systemClock, { env: {}, fetches: new OpenFetches({}) });

  const answers = await Promise.all(
    Array.from({ length: 300 }, async () => (await net.fetch(server.url.href)).text()),
  );

  expect(new Set(answers)).toEqual(new Set(["there"]));
});
