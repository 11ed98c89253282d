import type { Contributions } from "@incipit/kernel";
import type { Requester } from "@incipit/schema";
import { ServiceError, type ModelProvider } from "@incipit/service-contract";

export interface FoundModel {
  readonly provider: ModelProvider;
  readonly extension: string;
  readonly name: string;
}

/** For a provider that runs its own tools. */
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
