import type { LoadedConfig } from "../config/load-config.ts";
import { createHost } from "../create-host.ts";
import type { Output } from "./ask.ts";

/** Runs the host until a signal ends it. */
export async function serve(
  loaded: LoadedConfig,
  options: { readonly isJson: boolean; readonly cwd: string },
  { out, err }: Output,
): Promise<number> {
  const stopped = Promise.withResolvers<void>();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => stopped.resolve());
  const host = await createHost({ ...loaded, cwd: options.cwd, env: process.env, writeLog: (line) => err(line) });
  if (options.isJson)
    out(`${JSON.stringify({ url: host.url, page: host.url, token: host.token, pid: process.pid })}\n`);
  else
    out(
      `Incipit is ready at ${host.url}\nData and token: ${loaded.dataFolder}\nTry, in another terminal: bun run incipit "What were you told?"\n`,
    );
  await stopped.promise;
  await host.close();
  return 0;
}
