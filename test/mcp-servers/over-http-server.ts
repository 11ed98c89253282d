import { createTempFolder } from "@incipit/testkit";
import { connect } from "node:net";
import { ownPort } from "../support/own-port.ts";
import { noNetwork } from "./servers-world.ts";
import type { OtherServer } from "./servers.ts";

export class OverHttpServer implements AsyncDisposable {
  readonly #server: OtherServer;
  readonly #port: number;
  readonly #home: string;
  readonly #scope: AsyncDisposableStack;
  #child: Bun.Subprocess | undefined;

  private constructor(server: OtherServer, given: { port: number; home: string; scope: AsyncDisposableStack }) {
    this.#server = server;
    this.#port = given.port;
    this.#home = given.home;
    this.#scope = given.scope;
  }

  static async start(server: OtherServer): Promise<OverHttpServer> {
    const scope = new AsyncDisposableStack();
    const { path: home } = scope.use(await createTempFolder());
    const started = new OverHttpServer(server, { port: await ownPort(), home, scope });
    await started.#run();
    return started;
  }

  get url(): string {
    const { path = "/mcp" } = this.#server.http?.(this.#port) ?? {};
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  async restart(): Promise<void> {
    await this.#end();
    await this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await this.#scope.disposeAsync();
  }

  async #run(): Promise<void> {
    const { name, file, env, http } = this.#server;
    const { args = [], env: own = {} } = http?.(this.#port) ?? {};
    const child = Bun.spawn([process.execPath, file, ...args], {
      env: { PATH: process.env["PATH"] ?? "", HOME: this.#home, ...noNetwork, ...env, ...own },
      cwd: this.#home,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    this.#child = child;
    while (!(await isListening(this.#port)))
      if (child.exitCode !== null) throw new Error(`"${name}" ended with exit code ${child.exitCode}`);
  }

  async #end(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#child?.exited;
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isConnected: boolean) => (): void => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once("connect", end(true));
    socket.once("error", end(false));
  });
}
