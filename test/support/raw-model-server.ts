import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";

/** Written verbatim, with back pressure; the connection is then closed. */
export type RawReply = Iterable<string | Uint8Array>;

export class RawModelServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #replyTo: (body: string) => RawReply;
  readonly bodies: string[] = [];

  private constructor(replyTo: (body: string) => RawReply) {
    this.#replyTo = replyTo;
    this.#server = createServer((socket) => void this.#serve(socket));
  }

  static async start(replyTo: (body: string) => RawReply): Promise<RawModelServer> {
    const server = new RawModelServer(replyTo);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  /** Includes the version, as `base_url` expects. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The server does not listen");
    return `http://127.0.0.1:${address.port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
  }

  async #serve(socket: Socket): Promise<void> {
    socket.on("error", () => {}); // The host aborts many replies.
    const body = await readBody(socket);
    if (body === undefined) return;
    this.bodies.push(body);
    for (const chunk of this.#replyTo(body)) {
      if (socket.destroyed) return;
      if (!socket.write(chunk)) await drained(socket);
    }
    socket.end();
  }
}

async function readBody(socket: Socket): Promise<string | undefined> {
  let request = Buffer.alloc(0);
  const done = Promise.withResolvers<string | undefined>();
  socket.on("close", () => done.resolve(undefined));
  socket.on("data", (chunk: Buffer) => {
    request = Buffer.concat([request, chunk]);
    const headEnd = request.indexOf("\r\n\r\n");
    if (headEnd === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(request.toString("latin1", 0, headEnd))?.[1]);
    if (request.length >= headEnd + 4 + length) done.resolve(request.toString("utf8", headEnd + 4));
  });
  return done.promise;
}

function drained(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => {
    socket.off("drain", done).off("close", done);
    resolve();
  };
  socket.on("drain", done).on("close", done);
  return promise;
}
