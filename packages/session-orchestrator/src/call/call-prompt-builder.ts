import type { ServiceReference } from "@incipit/kernel";
import type { SystemPromptService } from "@incipit/service-contract";

/**
 * If the builder is unloaded during the call, retries with its replacement.
 *
 * @throws the error of a builder that is still loaded, or of an abort.
 */
export async function callPromptBuilder<Answer>(
  reference: ServiceReference<SystemPromptService>,
  ask: (builder: SystemPromptService) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer | undefined> {
  for (;;) {
    const builder = reference.current;
    if (builder === undefined) return undefined;
    try {
      return await ask(builder);
    } catch (error) {
      if (signal?.aborted === true || reference.current === builder) throw error;
    }
  }
}
