import { createServer } from "node:http";
import { once } from "node:events";

const [lowest, count] = [20_000, 10_000] as const;

/**
 * A free port for a host that comes back on it. Systems give higher ones to whoever asks for any: while the host is away, one of
 * those would be another test's.
 */
export async function ownPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = lowest + Math.floor(Math.random() * count);
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port from ${lowest} to ${lowest + count - 1}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const answer = Promise.race([
    once(server, "listening").then(() => true),
    once(server, "error").then(() => false),
  ]);
  server.listen(port, "127.0.0.1");
  const isListening = await answer;
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
