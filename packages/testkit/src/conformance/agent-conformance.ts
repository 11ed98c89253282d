import { defaultDeadlineMs } from "../model-server/wire/within.ts";
import { agentPromises } from "./agent-promises.ts";
import { AgentWorld, type AgentCapability, type AgentUnderTest } from "./agent-world.ts";
import { declareSuite } from "./declare-suite.ts";

export type AgentPromise = keyof typeof agentPromises;

export interface AgentConformanceOptions {
  /** What starts a new agent, and a model that answers it; what is put into `scope` is closed after the test. */
  readonly open: (scope: AsyncDisposableStack) => Promise<AgentUnderTest> | AgentUnderTest;
  /** What this agent does not keep, and why. An entry that is no longer true turns red. */
  readonly lacks?: Readonly<Partial<Record<AgentPromise, string>>>;
  /** Capabilities that it does not advertise: what is promised of them is shown as skipped. */
  readonly doesNotOffer?: readonly AgentCapability[];
  /** Longest wait for one thing, in real milliseconds; 10,000 when absent. */
  readonly deadlineMs?: number;
}

/** What is asked only of those that advertise it. */
const promisesOf: Readonly<Record<AgentCapability, readonly AgentPromise[]>> = {
  loadSession: [
    "session/load, where it is offered, tells what was said, in its order",
    "session/load, where it is offered, is answered behind all that it tells",
  ],
};

/** What every agent of the Agent Client Protocol has to keep, over its own stdin and stdout; call it in a test file. */
export function agentConformance(label: string, options: AgentConformanceOptions): void {
  const { open, lacks, doesNotOffer = [], deadlineMs = defaultDeadlineMs } = options;
  const skipped = Object.entries(promisesOf).filter(([capability]) =>
    doesNotOffer.some((one) => one === capability),
  );
  const skips = new Map(
    skipped.flatMap(([capability, names]) => names.map((name) => [name, `does not offer ${capability}`] as const)),
  );
  declareSuite<AgentPromise, AgentWorld>(`agent ${label}`, {
    promises: agentPromises,
    lacks,
    skips,
    async onSubject(keep) {
      await using scope = new AsyncDisposableStack();
      const agent = await open(scope);
      await using world = new AgentWorld(agent, { deadlineMs, doesNotOffer });
      await keep(world);
    },
  });
}
