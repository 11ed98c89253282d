import { declareSuite } from "./declare-suite.ts";
import { channelPromises } from "./channel-promises.ts";
import { ChannelWorld, type ChannelService } from "./channel-world.ts";
import { defaultDeadlineMs } from "../model-server/wire/within.ts";

export type ChannelPromise = keyof typeof channelPromises;

export interface ChannelConformanceOptions {
  /** A new service, which nobody is connected to; what is put into `scope` is closed after the test. */
  readonly open: (scope: AsyncDisposableStack) => Promise<ChannelService> | ChannelService;
  /** What this channel cannot do, and why. An entry that is no longer true turns red. */
  readonly lacks?: Readonly<Partial<Record<ChannelPromise, string>>>;
  /** What there is nothing of in this service, and why, such as edits. */
  readonly skips?: Readonly<Partial<Record<ChannelPromise, string>>>;
  /** Longest wait for one thing, in real milliseconds; 10,000 when absent. */
  readonly deadlineMs?: number;
}

/** What every channel has to keep; call it in a test file of the channel. */
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
