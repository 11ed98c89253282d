import { version } from "../../version.ts";
import type { Arguments } from "../arguments/arguments.ts";
import type { Connection } from "../host/connection.ts";
import { errorText } from "../output/error-text.ts";
import type { Output } from "../output/output.ts";

/** Whoever ends an agent waits about five seconds before it is killed. */
const closeTimeoutMs = 4_700;

/**
 * The host as an agent of the editor that has started this: messages on stdin and stdout, all else on stderr. It ends with the
 * editor; a host that is inside this process then lets what the editor had asked for come to its end.
 */
export async function acp(open: () => Promise<Connection>, args: Arguments, output: Output): Promise<number> {
  output.keepForProtocol();
  const stopped = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(signal, () => {
      stopped.abort();
      setTimeout(() => process.exit(1), closeTimeoutMs).unref();
    });
  const { serveAcp } = await import("@incipit/acp-agent");
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
      isV2Offered: args.isV2Offered,
      input: Bun.stdin.stream(),
      write: output.outWhenTaken,
      log: (line) => output.errLine(line),
      signal: stopped.signal,
    });
  } catch (error) {
    output.err(`${errorText(error)}\n`);
    return 1;
  } finally {
    // An editor may be gone while its host still starts.
    connection = await opening?.catch(() => undefined);
    await connection?.[Symbol.asyncDispose]();
  }
  return 0;
}
