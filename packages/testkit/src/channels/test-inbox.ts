import type { ChannelInbox, ChannelUpdate } from "@incipit/service-contract";

type Report = Parameters<ChannelInbox["report"]>[0];

/** An inbox that keeps what it is given, and may refuse it. */
export class TestInbox implements ChannelInbox {
  readonly updates: ChannelUpdate[] = [];
  readonly reports: Report[] = [];
  readonly moves: { readonly from: string; readonly to: string }[] = [];
  /** What becomes of an update; what it throws is not kept. */
  take: (update: ChannelUpdate) => Promise<{ readonly answer?: string }> = async () => ({});
  readonly #waiting = new Set<() => void>();

  async receive(update: ChannelUpdate): Promise<{ readonly answer?: string }> {
    try {
      const taken = await this.take(update);
      this.updates.push(update);
      return taken;
    } finally {
      this.#notify();
    }
  }

  async move(ids: { readonly from: string; readonly to: string }): Promise<void> {
    this.moves.push(ids);
    this.#notify();
  }

  report(state: Report): void {
    this.reports.push(state);
    this.#notify();
  }

  /** The texts that came, commands and presses with what they say. */
  get texts(): readonly string[] {
    return this.updates.map((update) => {
      switch (update.kind) {
        case "message":
        case "edit":
          return update.text;
        case "command":
          return `/${update.name} ${update.argument}`.trim();
        case "press":
          return update.button;
      }
    });
  }

  async waitFor(condition: (inbox: TestInbox) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #notify(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
