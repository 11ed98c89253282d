import { createEndpointProvider, type EndpointOptions } from "../endpoint/endpoint-provider.ts";
import type { ModelProvider } from "@incipit/service-contract";
import { ModelCache } from "./model-cache.ts";
import { SentMessages } from "./sent-messages.ts";
import type { Vendor } from "./vendor.ts";

export interface AiSdkProviderOptions extends EndpointOptions {
  readonly vendor: Vendor;
}

/**
 * The package's request is rewritten as a byte prefix of the conversation's next request, and sent through `net` with
 * the current key, which no package has. All errors are mapped to a `failure` by one table.
 */
export function createAiSdkProvider(options: AiSdkProviderOptions): ModelProvider {
  const { id, vendor, net } = options;
  const sentMessages = new SentMessages();
  const models = new ModelCache({ provider: id, vendor });
  return createEndpointProvider({
    ...options,
    async *call(request, address) {
      // A host starts without the vendors' packages.
      const { modelCall } = await import("./model-call.ts");
      yield* modelCall(request, { id, vendor, net, sentMessages, models, ...address });
    },
  });
}
