import { Container, ScrollView, TuiAltScreen, VStack, type Component, type Terminal } from "@earendil-works/pi-tui";
import type { Stage } from "./stage.ts";

/** Older blocks are dropped; the host has them. */
const maxBlocks = 5_000;

export class WholeScreen extends TuiAltScreen implements Stage {
  readonly bottom = new Container();
  beforeFrame = (): void => {};
  readonly #said = new Container();

  constructor(terminal: Terminal) {
    super(terminal);
    const said = new ScrollView(this.#said, { follow: "end", primary: true, overscroll: "chain" });
    this.setLayoutRoot(
      new VStack([
        { component: said, basis: 0, grow: 1, minSize: 1 },
        { component: this.bottom, basis: "auto", shrink: 1, minSize: 1 },
      ]),
    );
  }

  protected override doRender(): void {
    if (!this.stopped) this.beforeFrame();
    super.doRender();
  }

  print(block: Component): void {
    this.#said.addChild(block);
    const [oldest] = this.#said.children;
    if (this.#said.children.length > maxBlocks && oldest !== undefined) this.#said.removeChild(oldest);
    this.requestRender();
  }

  forget(): void {
    this.resetRenderState();
  }
}
