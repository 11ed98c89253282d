import { KernelError, withDeadline, type Clock } from "@incipit/kernel";
import type { ModelProvider } from "@incipit/service-contract";
import { modelFactsSchema, type Model, type ModelFacts } from "@incipit/transport-contract";
import type { Services } from "./services.ts";

/** Longest wait for a provider to say what it knows: it has that in memory. */
const factsTimeoutMs = 2_000;

/** What the loaded providers offer, the default model and those of profiles, by their ids. */
export async function listModels({ settings, providers, clock, log }: Services): Promise<readonly Model[]> {
  const named = providers.current.flatMap(({ value }) => value.models.map((model) => `${value.id}/${model}`));
  const meant = Object.values(settings.profiles).flatMap(({ model }) => model ?? []);
  const ids = new Set([...named, settings.defaultModel, ...meant]);
  const listed = [...ids].toSorted().map(async (id): Promise<Model> => {
    const provider = id.slice(0, id.indexOf("/"));
    const found = providers.current.find(({ value }) => value.id === provider)?.value;
    const model = id.slice(provider.length + 1);
    const problem = problemOf(found, { provider, model });
    const facts = await factsOf(found, { model, clock }).catch((error: unknown) => {
      if (!KernelError.is(error)) log.warn(`Cannot list what is known of "${id}"`, { error: String(error) });
      return null;
    });
    return { id, provider, isReady: problem === null, problem, isDefault: id === settings.defaultModel, facts };
  });
  return Promise.all(listed);
}

function problemOf(
  found: ModelProvider | undefined,
  { provider, model }: { readonly provider: string; readonly model: string },
): string | null {
  if (found === undefined) return `there is no provider "${provider}"`;
  if (found.isClosedList !== true || found.models.includes(model)) return found.problem;
  return `"${provider}" has no model "${model}"; it has ${found.models.map((name) => `"${name}"`).join(", ")}`;
}

/** What one provider says wrong, or never, must not keep the others' models from being listed. */
async function factsOf(
  provider: ModelProvider | undefined,
  { model, clock }: { readonly model: string; readonly clock: Clock },
): Promise<ModelFacts | null> {
  const asked = await withDeadline(async () => provider?.facts?.(model), { timeoutMs: factsTimeoutMs, clock });
  return asked === undefined ? null : modelFactsSchema.parse(asked);
}
