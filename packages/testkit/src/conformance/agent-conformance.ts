import { defaultDeadlineMs } from "../model-server/wire/within.ts";
import { sampleOf } from "../runs/run-share.ts";
import { agentPromises } from "./agent-promises.ts";
import { AgentWorld, type AgentCapability, type AgentUnderTest } from "./agent-world.ts";
import { declareSuite } from "./declare-suite.ts";

export type AgentPromise = keyof typeof agentPromises;

export interface AgentConformanceOptions {
  /** New for each test; `scope` is closed after it. */
  readonly open: (scope: AsyncDisposableStack) => Promise<AgentUnderTest> | AgentUnderTest;
  /** Known gaps with reasons; an outdated entry fails. */
  readonly lacks?: Readonly<Partial<Record<AgentPromise, string>>>;
  /** Their tests are skipped. */
  readonly doesNotOffer?: readonly AgentCapability[];
  /**
   * A start takes seconds of CPU time, as for most agents from npm: local runs test a share of the promises
   * (`sampleOf`), CI all.
   */
  readonly isSlow?: boolean;
  /** Per step, in real milliseconds; 10,000 by default. */
  readonly deadlineMs?: number;
}

const promisesOf: Readonly<Record<AgentCapability, readonly AgentPromise[]>> = {
  loadSession: [
    "session/load, where it is offered, tells what was said, in its order",
    "session/load, where it is offered, is answered behind all that it tells",
  ],
};

function skippedOfSlow(label: string): readonly (readonly [string, string])[] {
  const cellOf = (name: string): string => `${label}: ${name}`;
  const names = Object.keys(agentPromises);
  const taken = sampleOf(names.map(cellOf));
  return names
    .filter((name) => !taken.has(cellOf(name)))
    .map((name) => [name, "another share of the runs"] as const);
}

/** Conformance tests for agents of the Agent Client Protocol over stdio; call it in a test file. */
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
