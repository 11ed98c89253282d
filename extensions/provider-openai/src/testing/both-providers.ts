import type { Environment, Net } from "@incipit/kernel";
import type { ModelEvent, ModelProvider, ModelRequest } from "@incipit/service-contract";
import { socketNet } from "@incipit/testkit";
import { createOpenaiProvider } from "../openai-provider.ts";
import { createPackageProvider } from "./package-chat.ts";

export const chatKinds = ["openai", "openai-compatible"] as const;
export type ChatKind = (typeof chatKinds)[number];

export interface SentRequest {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: string | undefined;
}

export interface BothOptions {
  readonly kind: ChatKind;
  readonly id?: string;
  readonly baseUrl?: string;
  readonly hasKey?: boolean;
}

type Answer = () => Response | Promise<Response>;

const key = "sk-test-0123456789";
const env: Environment = { get: () => key };

export class BothProviders {
  readonly #sent = { own: new Array<SentRequest>(), package: new Array<SentRequest>() };
  readonly #providers: Readonly<Record<"own" | "package", ModelProvider>>;
  answer: Answer = () => new Response("data: [DONE]\n\n", { headers: { "content-type": "text/event-stream" } });

  constructor({ kind, id = "local", baseUrl = "https://api.acme.dev/v1", hasKey = true }: BothOptions) {
    const endpoint = { baseUrl, ...(hasKey ? { apiKeyEnv: "TEST_KEY" } : {}) };
    const own = { id, net: this.#net("own"), env };
    // The packages neither shorten ids nor drop empty texts for compatible endpoints.
    const plain = { api: "chat", family: "openai", dialect: { callIds: undefined, refusesEmpty: false } } as const;
    this.#providers = {
      own: createOpenaiProvider({ ...own, endpoint: { kind, ...plain, ...endpoint } }),
      package: createPackageProvider(kind, { id, net: this.#net("package"), env, endpoint }),
    };
  }

  get sent(): { readonly own: readonly SentRequest[]; readonly package: readonly SentRequest[] } {
    return this.#sent;
  }

  askOne(whose: "own" | "package", request: ModelRequest): Promise<readonly ModelEvent[]> {
    return Array.fromAsync(this.#providers[whose].stream(request));
  }

  async ask(
    request: ModelRequest,
  ): Promise<{ readonly own: readonly ModelEvent[]; readonly package: readonly ModelEvent[] }> {
    return { package: await this.askOne("package", request), own: await this.askOne("own", request) };
  }

  #net(whose: "own" | "package"): Net {
    return {
      ...socketNet,
      fetch: async (url, { method, headers, body: given, signal, observe } = {}) => {
        signal?.throwIfAborted();
        const body = typeof given === "string" ? given : undefined;
        await observe?.({ method: method ?? "GET", url, headers: {}, body: body ?? "", sha256: "", at: 0 });
        this.#sent[whose].push({ url, method, headers, body });
        return this.answer();
      },
    };
  }
}
