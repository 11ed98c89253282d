import type { Endpoint } from "./endpoint.ts";

/** Own properties only, because names are arbitrary. */
export function configuredModel(
  { models = {} }: Endpoint,
  model: string,
): NonNullable<Endpoint["models"]>[string] | undefined {
  return Object.hasOwn(models, model) ? models[model] : undefined;
}
