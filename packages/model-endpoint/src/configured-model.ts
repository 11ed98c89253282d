import type { Endpoint } from "./endpoint.ts";

/** What is configured of one model, by the name behind the slash, which may be any. */
export function configuredModel(
  { models = {} }: Endpoint,
  model: string,
): NonNullable<Endpoint["models"]>[string] | undefined {
  return Object.hasOwn(models, model) ? models[model] : undefined;
}
