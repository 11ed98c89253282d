import { once } from "node:events";
import { createServer } from "node:net";

const [lowest, count] = [20_000, 10_000] as const;
/** Parallel test processes use other ranges. */
const perProcess = 100;

let taken = 0;

/** Below the ephemeral range: the system could assign one of those to another test while the host is down. */
export async function ownPort(): Promise<number> {
  const first = lowest + ((process.pid * perProcess) % count);
  for (let tries = 0; tries < perProcess; tries += 1) {
    const port = first + (taken % perProcess);
    taken += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port from ${first} to ${first + perProcess - 1}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
