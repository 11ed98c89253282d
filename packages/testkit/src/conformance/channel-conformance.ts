import { declareSuite } from "./declare-suite.ts";
import { channelPromises } from "./channel-promises.ts";
import { ChannelWorld, type ChannelService } from "./channel-world.ts";
import { defaultDeadlineMs } from "../model-server/wire/within.ts";

export type ChannelPromise = keyof typeof channelPromises;

export interface ChannelConformanceOptions {
  /** New for each test; `scope` is closed after it. */
  readonly open: (scope: AsyncDisposableStack) => Promise<ChannelService> | ChannelService;
  /** Known gaps with reasons; an outdated entry fails. */
  readonly lacks?: Readonly<Partial<Record<ChannelPromise, string>>>;
  /** With reasons, such as missing edits. */
  readonly skips?: Readonly<Partial<Record<ChannelPromise, string>>>;
  /** Per step, in real milliseconds; 10,000 by default. */
  readonly deadlineMs?: number;
}

/** Conformance tests for channels; call it in a test file of the channel. */
export function channelConformance(label: string, options: ChannelConformanceOptions): void {
  const { open, lacks, skips = {}, deadlineMs = defaultDeadlineMs } = options;
  declareSuite<ChannelPromise, ChannelWorld>(`channel ${label}`, {
    promises: channelPromises,
    lacks,
    skips: new Map(Object.entries(skips)),
    async onSubject(keep) {
      await using scope = new AsyncDisposableStack();
      const world = new ChannelWorld({ service: await open(scope), deadlineMs });
      try {
        await keep(world);
      } finally {
        await world.end();
      }
    },
  });
}
