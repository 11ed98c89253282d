import type { ServiceReference } from "@incipit/kernel";
import type { SystemPromptService } from "@incipit/service-contract";

/**
 * What the prompt builder answers; `undefined`: there is none. One that goes while it is asked is as one that was never
 * there, unless another one has taken its place: that is asked then.
 * @throws what the builder throws that is there, and with it whatever `signal` ended.
 */
export async function askBuilder<Answer>(
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
