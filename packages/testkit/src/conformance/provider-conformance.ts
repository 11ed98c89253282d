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
  /** New for each test, for suites with a `wire`. */
  readonly server: RecordingModelServer;
  readonly scope: AsyncDisposableStack;
}

export interface ProviderConformanceOptions {
  /** Called again to simulate a restart. */
  readonly open: (options: ProviderWorldOptions) => Promise<ModelProvider> | ModelProvider;
  /** After the slash. */
  readonly model: string;
  /**
   * Format of calls to `server`, which the suite controls and inspects. `none`: nothing leaves the host, or `open`
   * starts its own endpoint.
   */
  readonly wire: WireName | "none";
  /** Known gaps with reasons; an outdated entry fails. */
  readonly lacks?: Readonly<Partial<Record<ProviderPromise, string>>>;
  /** Per step, in real milliseconds; 10,000 by default. */
  readonly deadlineMs?: number;
}

/** Conformance tests for model providers; call it in a test file of the provider. */
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

/** Without reasoning, or without signatures to return. */
const forgetful: ReadonlySet<WireName> = new Set(["openai-chat", "deepseek"]);
const givenBack: ProviderPromise =
  "stream gives back what the vendor wants back with a reply, the same after a restart";

function skipped(wire: WireName | "none"): readonly (readonly [string, string])[] {
  if (wire === "none") return Object.keys(wirePromises).map((name) => [name, "it has no wire"]);
  return forgetful.has(wire) ? [[givenBack, "its format has nothing to give back"]] : [];
}
