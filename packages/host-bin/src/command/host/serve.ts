import { pageFilesHandle } from "@incipit/service-contract";
import { createHost, type RunningHost } from "../../create-host.ts";
import { Configured, variablesOfProxies } from "@incipit/host/configuration";
import { weakSecrets } from "@incipit/host";
import { signInCodesOf } from "@incipit/transport-http/sign-in-codes";
import type { Call } from "../registry/command.ts";
import { isBuiltFile } from "../output/built-file.ts";
import { handleUncaught } from "./uncaught.ts";
import { coreSchema } from "../../config/core-schema.ts";

/** The built file is on the path; a checkout has a script at its root. */
const ownName = isBuiltFile ? "incipit" : "./incipit";

/** Below the five seconds or so after which service managers kill a process. */
const closeTimeoutMs = 4_700;

function pageLink({ kernel, url, token }: RunningHost): string | undefined {
  if (kernel.service(pageFilesHandle) === undefined) return undefined;
  return `${url}/#code=${signInCodesOf(token).newCode({ now: Date.now }).code}`;
}

export async function serve({
  args: { isJson },
  output: { announce, err, errLine },
  host: access,
}: Call): Promise<void> {
  const { dataFolder, userFolder, cwd, config: settled } = await access.start();
  const config = await settled();
  const stopped = Promise.withResolvers<void>();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => stopped.resolve());
  const env = { ...process.env };
  const host = await createHost({
    config,
    dataFolder,
    cwd,
    userFolder,
    env,
    writeLog: err,
    catchUncaught: (attribute, redact) => handleUncaught(attribute, { err, redact }),
  });
  const page = pageLink(host);
  if (isJson) {
    await announce(JSON.stringify({ url: host.url, page: page ?? host.url, token: host.token, pid: process.pid }));
  } else {
    await announce(`Incipit is ready at ${host.url}`);
    if (page !== undefined) await announce(`Open its page, signed in: ${page}`);
    await announce(`Data and token: ${dataFolder}`);
    await announce(`Try, in another terminal: ${ownName} "What were you told?"`);
  }
  const configured = new Configured(config, coreSchema.extensions);
  // Keeps the start fast.
  (await import("@incipit/host/hide-process")).hideProcess([
    ...configured.secretVariables(),
    ...variablesOfProxies(configured, env),
  ]);
  const keys = configured.variables().filter(({ holds }) => holds === "key");
  for (const name of new Set(keys.map(({ name: variable }) => variable).filter((key) => (env[key] ?? "") === "")))
    errLine(`The variable ${name} is not set: calls of its provider fail until the host is started with it`);
  const weak = weakSecrets(configured, env).map(({ variable, why }) => `${variable} (${why})`);
  if (weak.length > 0)
    errLine(`Records and logs keep what is in ${weak.join(" and in ")}: it is too plain to be a key`);
  await stopped.promise;
  let isClosed = false;
  const deadline = setTimeout(() => {
    const recovered = isClosed ? "" : "; what it had to store is recovered at the next start";
    errLine(`Something did not end in time and was left behind${recovered}`);
    process.exit(isClosed ? 0 : 1);
  }, closeTimeoutMs);
  try {
    await host.close();
    isClosed = true;
  } finally {
    deadline.unref(); // Does not delay the exit, but ends timers and requests that an extension has left open.
  }
}
