import { boundedBody } from "@incipit/common";
import { Configured, proxiesOf } from "@incipit/host/configuration";
import { createNet, systemClock } from "@incipit/host/drivers";
import { escapeHiddenLine } from "@incipit/schema/text";
import { catalogueFacts, type CatalogueVendor } from "@incipit/model-catalogue";
import * as z from "zod";
import { coreSchema } from "../../config/core-schema.ts";
import { setKeyOf, type KnownProvider } from "../../config/known-providers.ts";
import { parseConfig } from "../../config/parse-config.ts";
import { providerHeaders } from "../../config/provider-headers.ts";
import { configurationText } from "./configuration-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const answerTimeoutMs = 5_000;
/** Maximum size of a list of models, above that of the longest known one. */
const maxBytes = 16 * 1_048_576;

export type Listing =
  | { readonly kind: "listed"; readonly models: readonly string[] }
  | { readonly kind: "none"; readonly why: string };

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const geminiSchema = z.object({
  models: z.array(
    z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).default(["generateContent"]) }),
  ),
});

/** Can be printed and written to the configuration. */
const plainName = /^[\u0021-\u007E]{1,200}$/;

const otherUse =
  /embed|whisper|tts|dall-e|image|moderation|realtime|transcribe|audio|sora|babbage|davinci|rerank|guard/i;

/** Reaches the endpoint as its extension would. Waits at most five seconds. */
export async function listedModels(vendor: KnownProvider, env: Environment): Promise<Listing> {
  const { name, start, keyVariables, page } = vendor;
  const key = setKeyOf(vendor, env);
  if (key === undefined && keyVariables.length > 0)
    return { kind: "none", why: `has no key: ${keyVariables[0]} is not set (get one at ${page})` };
  try {
    const text = configurationText({ model: `${name}/any`, isWorkspace: false }, env);
    const config = parseConfig(text, "incipit.toml");
    const configured = new Configured(config, coreSchema.extensions);
    const endpoint = configured.endpoints().find(({ path }) => path.join(".") === `providers.${name}`);
    const extension = coreSchema.extensions.find(({ manifest }) => manifest.id === endpoint?.extension);
    if (endpoint === undefined || extension === undefined) return { kind: "none", why: "has no list of models" };
    const needed = configured
      .needs(extension)
      .endpoints?.find(({ path }) => path.join(".") === endpoint.path.join("."));
    const proxies = proxiesOf(configured, extension.manifest.id);
    const net = createNet("setup", configured.grant(extension).net ?? [], systemClock, { env, proxies });
    const address = `${endpoint.url.replace(/\/+$/, "")}/models${pageSize(vendor)}`;
    const headers = needed === undefined ? {} : providerHeaders(needed, config, env);
    const response = await net.fetch(address, { headers, signal: AbortSignal.timeout(answerTimeoutMs) });
    if (!response.ok) {
      void response.body?.cancel();
      return { kind: "none", why: refusalOf(response.status, key) };
    }
    const body = await boundedBody(response, { maxBytes, what: "its list" });
    const models = idsOf(JSON.parse(new TextDecoder().decode(body)), vendor);
    if (models.length === 0) return { kind: "none", why: "lists no models" };
    return { kind: "listed", models };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    if (isLate) return { kind: "none", why: `did not answer within ${answerTimeoutMs / 1_000} s` };
    if (start !== undefined) return { kind: "none", why: `does not answer; to start it: ${start}` };
    const why =
      error instanceof SyntaxError || error instanceof z.ZodError ? "what came is no list" : String(error);
    return { kind: "none", why: `cannot be asked: ${escapeHiddenLine(why.replace(/^\w*Error: /, ""))}` };
  }
}

/** Returns the query for the page size; empty for providers that do not paginate. */
function pageSize({ kind }: KnownProvider): string {
  return kind === "anthropic" ? "?limit=1000" : kind === "google" ? "?pageSize=1000" : "";
}

function refusalOf(status: number, key: string | undefined): string {
  if (status === 401 || status === 403)
    return key === undefined ? `wants a key (${status})` : `refuses the key in ${key} (${status})`;
  return `answers ${status} in the place of its models`;
}

function idsOf(body: unknown, { kind, name, model }: KnownProvider): readonly string[] {
  const all =
    kind === "google"
      ? geminiSchema
          .parse(body)
          .models.filter(({ supportedGenerationMethods: methods }) => methods.includes("generateContent"))
          .map((listed) => listed.name.replace(/^models\//, ""))
      : listSchema.parse(body).data.map(({ id }) => id);
  const talking = [...new Set(all)].filter((id) => plainName.test(id) && !otherUse.test(id));
  const rank = (id: string): number => (id === model ? 0 : isKnown(name, id) ? 1 : 2);
  return talking.toSorted((a, b) => rank(a) - rank(b));
}

const catalogued: readonly CatalogueVendor[] = ["anthropic", "openai", "google", "deepseek"];

function isKnown(name: string, id: string): boolean {
  const vendor = catalogued.find((one) => one === name);
  return vendor !== undefined && catalogueFacts(vendor, id) !== undefined;
}
