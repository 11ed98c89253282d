export { DEFAULT_TEMPLATE } from "@incipit/service-contract";
export { getVariableCatalog } from "./catalog.ts";
export { CompiledTemplate, type RenderedRange } from "./compiled-template.ts";
export { default } from "./extension.ts";
export { compileTemplate, parseTemplate, referencedVariables } from "./parser.ts";
export { resolveVariables, type ResolveOptions } from "./resolver.ts";
export { createSystemPromptService } from "./service.ts";
export type { Outcome, ResolvedVariable, ResolverContext, ResolverLimits, VariableSources } from "./types.ts";
