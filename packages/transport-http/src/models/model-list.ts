import { KernelError, withDeadline, type Clock } from "@incipit/kernel";
import { modelFactsSchema, type ModelFacts } from "@incipit/schema";
import type { ModelProvider } from "@incipit/service-contract";
import type { Model } from "@incipit/transport-contract";
import { modelProblem } from "./model-problem.ts";
import type { Services } from "../context/services.ts";

/** Providers should have facts in memory. */
const factsTimeoutMs = 2_000;

export function modelIds({ defaults, providers }: Pick<Services, "defaults" | "providers">): readonly string[] {
  const offered = providers.current.flatMap(({ value }) => value.models.map((model) => `${value.id}/${model}`));
  const ofProfiles = defaults.profiles.flatMap(({ model }) => model ?? []);
  return [...new Set([...offered, defaults.model, ...ofProfiles])].toSorted();
}

export async function listModels({ defaults, providers, clock, log }: Services): Promise<readonly Model[]> {
  const listed = modelIds({ defaults, providers }).map(async (id): Promise<Model> => {
    const provider = id.slice(0, id.indexOf("/"));
    const found = providers.current.find(({ value }) => value.id === provider)?.value;
    const model = id.slice(provider.length + 1);
    const problem = modelProblem(providers, id);
    const facts = await factsOf(found, { model, clock }).catch((error: unknown) => {
      if (!KernelError.is(error)) log.warn(`Cannot describe the model "${id}"`, { error: String(error) });
      return null;
    });
    return { id, provider, isReady: problem === null, problem, isDefault: id === defaults.model, facts };
  });
  return Promise.all(listed);
}

/** Isolates errors and delays of a single provider. */
async function factsOf(
  provider: ModelProvider | undefined,
  { model, clock }: { readonly model: string; readonly clock: Clock },
): Promise<ModelFacts | null> {
  const asked = await withDeadline(async () => provider?.facts?.(model), { timeoutMs: factsTimeoutMs, clock });
  return asked === undefined ? null : modelFactsSchema.parse(asked);
}
