/** `Refusal` is how the service says no. */
export type ServiceFault<Refusal> =
  | ({ readonly kind: "refuse" } & Refusal)
  /** The call takes effect if `isTaken`. */
  | { readonly kind: "cut"; readonly isTaken: boolean }
  /** The service does not answer until `release()`. */
  | { readonly kind: "hold" }
  | { readonly kind: "flood" }
  /** A proxy answers instead of the service. */
  | { readonly kind: "gateway"; readonly status: number };

interface Answering<Refusal> {
  /** @returns the error to throw. */
  readonly refuse: (refusal: Refusal) => Error;
  readonly answer: () => Promise<Response>;
}

/** The part of `Bun.Server` that is used: users of the package may not have Bun's types. */
export interface ListeningServer {
  readonly port: number | undefined;
  stop(closesConnections: boolean): Promise<void>;
}

/** A service of chats on loopback, whose calls fail on demand, and which can be down. */
export abstract class FaultyService<Route, Refusal> implements AsyncDisposable {
  readonly #problems: string[] = [];
  readonly #faults = new Map<Route, ServiceFault<Refusal>[]>();
  readonly #waiting = new Set<() => void>();
  readonly #isStrict: boolean;
  #server: ListeningServer | undefined;
  #port = 0;
  #release = Promise.withResolvers<void>();
  #held = 0;

  constructor({ isStrict = false }: { readonly isStrict?: boolean }) {
    this.#isStrict = isStrict;
  }

  protected abstract listen(port: number): ListeningServer;

  get port(): number {
    return this.#port;
  }

  /** Replaces the service's address. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What calls say that the service would ignore. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  get held(): number {
    return this.#held;
  }

  fail(route: Route, ...faults: readonly ServiceFault<Refusal>[]): void {
    this.#faults.set(route, [...(this.#faults.get(route) ?? []), ...faults]);
  }

  release(): void {
    this.#release.resolve();
    this.#release = Promise.withResolvers();
  }

  /** Refuses connections until `comeBack()`. */
  async goDown(): Promise<void> {
    await this.#server?.stop(true);
    this.#server = undefined;
  }

  comeBack(): void {
    this.#server ??= this.listen(this.#port);
    this.#port = this.#server.port ?? 0;
  }

  /** Checked after each call and whatever else changes. */
  async waitFor(condition: (service: this) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release();
    await this.goDown();
    if (this.#isStrict && this.#problems.length > 0)
      throw new Error(`What the bot sent was hardly meant: ${this.#problems.join("; ")}`);
  }

  protected report(...problems: readonly string[]): void {
    this.#problems.push(...problems);
  }

  protected notify(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** `undefined` breaks the connection. */
  protected async withFaults(route: Route, { refuse, answer }: Answering<Refusal>): Promise<Response | undefined> {
    const fault = this.#faults.get(route)?.shift();
    if (fault?.kind === "refuse") throw refuse(fault);
    if (fault?.kind === "gateway") return new Response("<html>Bad Gateway</html>", { status: fault.status });
    if (fault?.kind === "flood") return flood();
    if (fault?.kind === "cut" && !fault.isTaken) return undefined;
    if (fault?.kind === "hold") {
      this.#held += 1;
      this.notify();
      await this.#release.promise;
      this.#held -= 1;
    }
    const answered = await answer();
    return fault?.kind === "cut" ? undefined : answered;
  }
}

/** Ends before the first byte. */
export function brokenResponse(): Response {
  return new Response(new ReadableStream({ start: (controller) => controller.error() }));
}

function flood(): Response {
  const piece = new TextEncoder().encode(" ".repeat(1_048_576));
  return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(piece) }));
}
