import { boundedBody, tryParseJson } from "@incipit/common";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";

const defaultRegistry = "https://registry.npmjs.org/";

const registryTimeoutMs = 5_000;
/** A registry's response contains all versions. */
const maxAnswerBytes = 8 * 1_048_576;

type Environment = Readonly<Record<string, string | undefined>>;

/** In lower or upper case. */
function npmVariable(env: Environment, name: string): string | undefined {
  const found = env[`npm_config_${name}`] ?? env[`NPM_CONFIG_${name.toUpperCase()}`];
  return found === "" ? undefined : found;
}

/**
 * Uses npm's variables and the user's `.npmrc`, not that of a folder: untrusted files must not choose which server is
 * contacted.
 */
export function registryOf(env: Environment): string {
  const file = npmVariable(env, "userconfig") ?? join(env["HOME"] || homedir(), ".npmrc");
  const named = npmVariable(env, "registry") ?? registryIn(file, env) ?? defaultRegistry;
  return named.endsWith("/") ? named : `${named}/`;
}

function registryIn(file: string, env: Environment): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const values = [...text.matchAll(/^[ \t]*registry[ \t]*=[ \t]*"?([^"\s]+)"?[ \t]*$/gm)];
  return values.at(-1)?.[1]?.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => env[name] ?? whole);
}

const versionSchema = z.string().regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.-]{1,60})?$/);

const packageSchema = z.object({
  "dist-tags": z.object({ latest: versionSchema }),
  versions: z.record(z.string(), z.unknown()),
  time: z.record(z.string(), z.string()).default({}),
});

export interface Published {
  readonly latest: string;
  /** Oldest first, with the publication day where the registry has it. */
  readonly versions: readonly { readonly version: string; readonly day: string | undefined }[];
}

class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly code = "REGISTRY_FAILED";
}

export async function publishedVersions(
  registry: string,
  { timeoutMs = registryTimeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<Published> {
  const cannot = `Cannot ask the registry "${registry}" for the newest version`;
  if (!/^https?:$/.test(URL.parse(registry)?.protocol ?? ""))
    throw new RegistryError(
      `${cannot}: it is not an address with http or https; npm's setting "registry" names it`,
    );
  const { status, text } = await ask(registry, timeoutMs).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RegistryError(`${cannot}: ${why}; nothing has been changed`, { cause });
  });
  if (status === 404) throw new RegistryError(`The registry "${registry}" has no package "incipit"`);
  if (status === 401 || status === 403)
    throw new RegistryError(
      `${cannot}: it wants to know who asks; "npm view incipit version" tells it who you are`,
    );
  if (status !== 200) throw new RegistryError(`${cannot}: it answers with status ${status}`);
  const parsed = packageSchema.safeParse(tryParseJson(text));
  if (!parsed.success) throw new RegistryError(`${cannot}: what it answers tells of no versions`);
  const { versions, time, "dist-tags": tags } = parsed.data;
  const known = Object.keys(versions).filter((version) => versionSchema.safeParse(version).success);
  return {
    latest: tags.latest,
    versions: known
      .toSorted((a, b) => Bun.semver.order(a, b))
      .map((version) => ({ version, day: /^\d{4}-\d\d-\d\d/.exec(time[version] ?? "")?.[0] })),
  };
}

/** Requests the versions of the package. @throws {Error} with the reason. */
async function ask(
  registry: string,
  timeoutMs: number,
): Promise<{ readonly status: number; readonly text: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(new URL("incipit", registry), { signal, headers: { accept: "application/json" } });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { status: response.status, text: "" };
    }
    const body = await boundedBody(response, { maxBytes: maxAnswerBytes, what: "its answer" });
    return { status: response.status, text: new TextDecoder().decode(body) };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`it did not answer within ${timeoutMs / 1_000} seconds`, { cause: error });
  }
}
