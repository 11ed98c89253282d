import type { Contributions } from "@incipit/kernel";
import type { ModelProvider } from "@incipit/service-contract";

export function modelProblem(providers: Contributions<ModelProvider>, model: string): string | null {
  const provider = model.slice(0, Math.max(0, model.indexOf("/")));
  const name = model.slice(provider.length + 1);
  const found = providers.current.find(({ value }) => value.id === provider)?.value;
  if (found === undefined || name === "") return `unknown provider "${provider === "" ? model : provider}"`;
  if (found.isClosedList === true && !found.models.includes(name))
    return `"${provider}" has no model "${name}"; it has ${found.models.map((known) => `"${known}"`).join(", ")}`;
  return found.problem;
}
