import { type Contributions, errorMessage, type Log, type Clock } from "@incipit/kernel";
import { type Requester, modelPricesSchema, type ModelPrices, type TurnSettings } from "@incipit/schema";
import { ServiceError, type ModelProvider, type AskedModel } from "@incipit/service-contract";
import { settle } from "../waits/settle.ts";

export interface FoundModel {
  readonly provider: ModelProvider;
  readonly extension: string;
  readonly name: string;
}

/** Returns the asker of questions of a provider that runs its own tools. */
export function providerAsker({ provider: { id, identity }, extension }: FoundModel): Requester {
  return { kind: "provider", extension, name: id, ...(identity === undefined ? {} : { identity }) };
}

/** @throws {ServiceError} `MODEL_UNKNOWN` with the available providers or models. */
export function findModel(providers: Contributions<ModelProvider>, model: string): FoundModel {
  const slash = model.indexOf("/");
  const prefix = slash === -1 ? model : model.slice(0, slash);
  const name = slash === -1 ? "" : model.slice(slash + 1);
  const found = providers.current.find(({ value }) => value.id === prefix);
  const provider = found?.value;
  if (name === "") {
    const known = providers.current.map(({ value }) => `${value.id}/${value.models[0] ?? "MODEL"}`).toSorted();
    throw new ServiceError(
      "MODEL_UNKNOWN",
      `Cannot use model "${model}": write PROVIDER/MODEL, such as ${known.join(" or ")}; providers are configured in [providers.NAME]`,
    );
  }
  if (found === undefined || provider === undefined) {
    const known = providers.current.map(({ value }) => `"${value.id}"`).toSorted();
    throw new ServiceError(
      "MODEL_UNKNOWN",
      `Cannot use model "${model}": unknown provider "${prefix}"; known: ${known.join(", ")}; add others under [providers.NAME]`,
    );
  }
  if (provider.isClosedList === true && !provider.models.includes(name)) {
    throw new ServiceError(
      "MODEL_UNKNOWN",
      `Cannot use model "${model}": "${prefix}" has ${provider.models.map((known) => `"${prefix}/${known}"`).join(", ")}`,
    );
  }
  return { provider, extension: found.extension, name };
}

export function askedModel({ provider, name }: FoundModel): AskedModel {
  return { provider: provider.id, model: name, vendor: provider.vendor ?? null };
}

const nullablePrices = modelPricesSchema.nullable();

/** `null` when unknown or invalid. No timeout; never rejects, so that missing prices fail no call. */
export async function fetchPrices(
  { log }: { readonly log: Log },
  { provider, name }: FoundModel,
): Promise<ModelPrices | null> {
  try {
    const facts = await provider.facts?.(name);
    return nullablePrices.parse(facts?.prices ?? null);
  } catch (error) {
    log.warn("Cannot determine the model's price", { model: name, error: errorMessage(error) });
    return null;
  }
}

const askTimeoutMs = 5_000;

/**
 * Accepts any effort of a model without known levels.
 *
 * @throws {ServiceError} `INVALID_REQUEST` with the supported levels.
 */
export async function assertEffort(
  { clock }: { readonly clock: Clock },
  { provider, name }: FoundModel,
  { reasoningEffort: effort }: Pick<TurnSettings, "reasoningEffort"> = {},
): Promise<void> {
  if (effort === undefined) return;
  const { signal } = new AbortController();
  const ask = async (): Promise<readonly string[] | undefined> => (await provider.facts?.(name))?.reasoningEfforts;
  const asked = await settle(ask(), { timeoutMs: askTimeoutMs, clock, signal }).catch(() => undefined);
  const efforts = asked?.kind === "value" ? asked.value : undefined;
  if (efforts === undefined || efforts.includes(effort)) return;
  const known = efforts.length === 0 ? "it has none" : `it has ${efforts.map((one) => `"${one}"`).join(", ")}`;
  const message = `"${provider.id}/${name}" has no reasoning effort "${effort}"; ${known}`;
  throw new ServiceError("INVALID_REQUEST", message, {
    details: [{ field: '"settings.reasoningEffort"', message }],
  });
}
