import { defaultDeadlineMs } from "../model-server/wire/within.ts";
import { takeShare } from "../runs/run-share.ts";
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
  /**
   * Whether a start takes seconds of a processor, as that of most agents of npm. Then a run by hand tries its share of the
   * promises (`takeShare`); CI and a full run try all.
   */
  readonly isSlow?: boolean;
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

function skippedOfSlow(label: string): readonly (readonly [string, string])[] {
  const cellOf = (name: string): string => `${label}: ${name}`;
  const names = Object.keys(agentPromises);
  const taken = takeShare(names.map(cellOf));
  return names
    .filter((name) => !taken.has(cellOf(name)))
    .map((name) => [name, "another share of the runs"] as const);
}

/** What every agent of the Agent Client Protocol has to keep, over its own stdin and stdout; call it in a test file. */
export function agentConformance(label: string, options: AgentConformanceOptions): void {
  const { open, lacks, doesNotOffer = [], isSlow = false, deadlineMs = defaultDeadlineMs } = options;
  const skips = new Map(isSlow ? skippedOfSlow(label) : []);
  for (const capability of doesNotOffer)
    for (const name of promisesOf[capability]) skips.set(name, `does not offer ${capability}`);
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
