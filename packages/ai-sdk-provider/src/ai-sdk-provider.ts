import { createEndpointProvider, type EndpointOptions } from "@incipit/model-endpoint";
import type { ModelProvider } from "@incipit/service-contract";
import { KeptModels } from "./kept-models.ts";
import { SentMessages } from "./sent-messages.ts";
import type { Vendor } from "./vendor.ts";

export interface AiSdkProviderOptions extends EndpointOptions {
  readonly vendor: Vendor;
}

/**
 * One configured endpoint of a vendor that an AI SDK package speaks to.
 *
 * - The request is the package's, written anew so that it is a byte prefix of the next one of its conversation.
 * - It leaves over `net`, with the key that there is at that moment: no package has it.
 * - Whatever goes wrong is a `failure` of one table.
 */
export function createAiSdkProvider(options: AiSdkProviderOptions): ModelProvider {
  const { id, vendor, net } = options;
  const sentMessages = new SentMessages();
  const models = new KeptModels({ provider: id, vendor });
  return createEndpointProvider({
    ...options,
    async *call(request, address) {
      // Loaded by the first call: a host is ready without the vendors' packages.
      const { modelCall } = await import("./model-call.ts");
      yield* modelCall(request, { id, vendor, net, sentMessages, models, ...address });
    },
  });
}
