import { World, type WorldOptions } from "../support/world.ts";
import { Sitting, type SittingOptions } from "./sitting.ts";

export class TerminalWorld extends World {
  readonly sit = (options: Partial<SittingOptions> = {}): Sitting =>
    this.scope.use(new Sitting({ cwd: this.work, home: this.home, ...options }));

  /** Waits until the terminal shows the model. */
  async open(options: Partial<SittingOptions> = {}): Promise<Sitting> {
    const sitting = this.sit(options);
    await sitting.sees("local/test");
    return sitting;
  }

  /** In screen reader mode. */
  async openLines(options: Partial<SittingOptions> = {}): Promise<Sitting> {
    const sitting = this.sit({ args: ["--screen-reader"], columns: 160, ...options });
    await sitting.sees("An empty line or Ctrl-D ends it.");
    return sitting;
  }
}

export const usualFacts =
  "context_window = 1_000, max_output_tokens = 500, prices = { input = 10, output = 20, cache_read = 1 }";

/** The model has 1,000 tokens and costs 10 and 20 dollars per million. */
export function newTerminalWorld({ facts = usualFacts, ...options }: WorldOptions = {}): Promise<TerminalWorld> {
  return TerminalWorld.start({ facts, ...options });
}
