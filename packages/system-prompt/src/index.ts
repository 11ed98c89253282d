export { DEFAULT_TEMPLATE } from "@incipit/service-contract";
export { getVariableCatalog } from "./catalog.ts";
export { CompiledTemplate } from "./compiled-template.ts";
export { default } from "./extension.ts";
export { compileTemplate, parseTemplate, referencedVariables } from "./parser.ts";
export { resolveVariables, type ResolveOptions } from "./resolver.ts";
export { createSystemPromptService } from "./service.ts";
export type { RenderedBranch, RenderedRange, TemplateTrace } from "./template-trace.ts";
export type { Outcome, ResolvedVariable, ResolverContext, ResolverLimits, VariableSources } from "./types.ts";
