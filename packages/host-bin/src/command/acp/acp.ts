import { version } from "../../version.ts";
import type { Call } from "../registry/command.ts";
import type { Connection } from "../registry/host-access.ts";
import { errorText } from "../output/error-text.ts";

/** Below the five seconds or so that a client waits before it kills an agent. */
const closeTimeoutMs = 4_700;

/** Everything but messages goes to stderr. An in-process host first finishes the work that the editor requested. */
export async function acp({ args, output, host: { open } }: Call<[], "model" | "profile">): Promise<number> {
  output.keepForProtocol();
  const stopped = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(signal, () => {
      stopped.abort();
      setTimeout(() => process.exit(1), closeTimeoutMs).unref();
    });
  const { serveAcp } = await import("@incipit/acp-server");
  let connection: Connection | undefined;
  let opening: Promise<Connection> | undefined;
  try {
    await serveAcp({
      async connect() {
        await connection?.[Symbol.asyncDispose]();
        connection = undefined;
        opening = open();
        connection = await opening;
        return connection.client;
      },
      endsWithAgent: () => connection?.isInside === true,
      version,
      model: args.model,
      profile: args.profile,
      input: Bun.stdin.stream(),
      write: output.outWhenTaken,
      log: (line) => output.errLine(line),
      signal: stopped.signal,
    });
  } catch (error) {
    output.err(`${errorText(error)}\n`);
    return 1;
  } finally {
    // The editor may disconnect while its host is starting.
    connection = await opening?.catch(() => undefined);
    await connection?.[Symbol.asyncDispose]();
  }
  return 0;
}
