import type { ModelProvider } from "@incipit/service-contract";
import { declareSuite } from "./declare-suite.ts";
import { providerPromises } from "./provider-promises.ts";
import { providerReplyPromises } from "./provider-reply-promises.ts";
import { providerRequestPromises } from "./provider-request-promises.ts";
import { providerWirePromises } from "./provider-wire-promises.ts";
import type { ProviderWorld } from "./provider-world.ts";
import { startRecordingModelServer, type RecordingModelServer } from "../model-server/recording-model-server.ts";
import type { WireName } from "../model-server/wire/wire-format.ts";
import { defaultDeadlineMs } from "../model-server/wire/within.ts";

const wirePromises = { ...providerWirePromises, ...providerRequestPromises, ...providerReplyPromises };
const promises = { ...providerPromises, ...wirePromises };

export type ProviderPromise = keyof typeof promises;

export interface ProviderWorldOptions {
  /** Where calls have to go when the suite has a `wire`; new for each test. */
  readonly server: RecordingModelServer;
  /** What is put in here is closed after the test. */
  readonly scope: AsyncDisposableStack;
}

export interface ProviderConformanceOptions {
  /** A new provider, ready for use; is called again for what must survive a restart. */
  readonly open: (options: ProviderWorldOptions) => Promise<ModelProvider> | ModelProvider;
  /** The name behind the slash. */
  readonly model: string;
  /**
   * Its calls go to `server`, in this format: the suite then also says what is answered, and looks at what came. `none`:
   * nothing leaves the host, or it speaks another format with an endpoint that `open` has put up.
   */
  readonly wire: WireName | "none";
  /** What this provider cannot do, and why. An entry that is no longer true turns red. */
  readonly lacks?: Readonly<Partial<Record<ProviderPromise, string>>>;
  /** Longest wait for one thing, in real milliseconds; 10,000 when absent. */
  readonly deadlineMs?: number;
}

/** What every model provider has to keep; call it in a test file of the provider. */
export function providerConformance(
  label: string,
  { open, model, wire, lacks, deadlineMs = defaultDeadlineMs }: ProviderConformanceOptions,
): void {
  declareSuite<ProviderPromise, ProviderWorld>(`provider ${label}`, {
    promises,
    lacks,
    skips: new Map(skipped(wire)),
    async onSubject(keep) {
      await using server = await startRecordingModelServer(wire === "none" ? {} : { wire });
      await using scope = new AsyncDisposableStack();
      const reopen = async (): Promise<ModelProvider> => open({ server, scope });
      await keep({ provider: await reopen(), reopen, server, model, wire, deadlineMs });
    },
  });
}

/** Formats of which nothing is wanted back: what a model reasoned is not in them, or has no signature. */
const forgetful: ReadonlySet<WireName> = new Set(["openai-chat", "deepseek"]);
const givenBack: ProviderPromise =
  "stream gives back what the vendor wants back with a reply, the same after a restart";

function skipped(wire: WireName | "none"): readonly (readonly [string, string])[] {
  if (wire === "none") return Object.keys(wirePromises).map((name) => [name, "it has no wire"]);
  return forgetful.has(wire) ? [[givenBack, "its format has nothing to give back"]] : [];
}
