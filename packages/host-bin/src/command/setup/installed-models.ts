import { Configured } from "@incipit/host/configuration";
import { createNet, systemClock } from "@incipit/host/drivers";
import * as z from "zod";
import { coreSchema } from "../../config/core-schema.ts";
import type { KnownVendor } from "../../config/known-vendors.ts";
import { parseConfig } from "../../config/parse-config.ts";
import { configurationText } from "./configuration-text.ts";

/** Longest wait for a program of this machine. */
const answerTimeoutMs = 2_000;

const listSchema = z.object({ data: z.array(z.object({ id: z.string().regex(/^\S{1,200}$/) })) });

/**
 * What a program of this machine has, which somebody has just chosen; none where it does not answer in time. It is reached
 * as its provider would reach it.
 */
export async function installedModels(
  { name }: KnownVendor,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const text = configurationText({ model: `${name}/any`, isWorkspace: false, isAsked: false }, env);
  const configured = new Configured(parseConfig(text, "incipit.toml"), coreSchema.extensions);
  const endpoint = configured.endpoints().find(({ path }) => path.join(".") === `providers.${name}`);
  const extension = coreSchema.extensions.find(({ manifest }) => manifest.id === endpoint?.extension);
  if (endpoint === undefined || extension === undefined) return [];
  const net = createNet("setup", configured.grant(extension).net ?? [], systemClock, { env });
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const response = await net.fetch(`${endpoint.url}/models`, { signal });
    return listSchema.parse(await response.json()).data.map(({ id }) => id);
  } catch {
    return []; // It may be started later: the next line of setup says how.
  }
}
