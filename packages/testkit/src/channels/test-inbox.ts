import type { ChannelInbox, ChannelUpdate } from "@incipit/service-contract";

type Report = Parameters<ChannelInbox["report"]>[0];

export class TestInbox implements ChannelInbox {
  readonly updates: ChannelUpdate[] = [];
  readonly reports: Report[] = [];
  readonly moves: { readonly from: string; readonly to: string }[] = [];
  /** When it throws, the update is not recorded. */
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

  /** Commands and presses in readable form. */
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
