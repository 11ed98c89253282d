import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export interface ProxiedRequest {
  /** `CONNECT` for a tunnel. */
  readonly method: string;
  /** A URL, or `host:port` of a tunnel. */
  readonly target: string;
  /** Lower-case names; for a tunnel, the proxy's headers. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RecordingProxyOptions {
  /** For all targets; absent: the requested port. */
  readonly port?: number;
  /** `407 Proxy Authentication Required` */
  readonly refuses?: string;
}

/** Forwards plain requests, opens tunnels with `CONNECT`, and records both. */
export class RecordingProxy implements AsyncDisposable {
  readonly requests: ProxiedRequest[] = [];
  readonly #options: RecordingProxyOptions;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(options: RecordingProxyOptions) {
    this.#options = options;
    this.#server = createServer((client) => this.#serve(client));
  }

  static async start(options: RecordingProxyOptions = {}): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy does not listen");
    return address.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket): void {
    this.#keep(client);
    let received = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf("\r\n\r\n");
      if (end === -1) return;
      client.off("data", read);
      this.#answer(client, {
        head: received.subarray(0, end).toString("latin1"),
        rest: received.subarray(end + 4),
      });
    };
    client.on("data", read);
  }

  #answer(client: Socket, { head, rest }: { readonly head: string; readonly rest: Buffer }): void {
    const [line = "", ...headerLines] = head.split("\r\n");
    const [method = "", target = ""] = line.split(" ");
    const headers = headerLines.map((text) => /^([^:]+):\s*(.*)$/.exec(text)?.slice(1) ?? ["", ""]);
    this.requests.push({
      method,
      target,
      headers: Object.fromEntries(headers.map(([name = "", value = ""]) => [name.toLowerCase(), value])),
    });
    if (this.#options.refuses !== undefined) {
      client.end(`HTTP/1.1 ${this.#options.refuses}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      return;
    }
    const isTunnel = method === "CONNECT";
    const url = new URL(isTunnel ? `https://${target}` : target);
    const standard = isTunnel ? 443 : 80;
    const port = this.#options.port ?? (url.port === "" ? standard : Number(url.port));
    const server = connect(port, "127.0.0.1", () => {
      if (isTunnel) client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      else server.write(forwarded({ method, url, headerLines }));
      server.write(rest);
      client.pipe(server);
      server.pipe(client);
    });
    this.#keep(server);
    server.on("close", () => client.destroy());
    client.on("close", () => server.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
  }
}

/** The connection is not reused. */
function forwarded(request: {
  readonly method: string;
  readonly url: URL;
  readonly headerLines: readonly string[];
}): string {
  const { method, url, headerLines } = request;
  const kept = headerLines.filter((line) => !/^(proxy-[a-z-]+|connection|keep-alive):/i.test(line));
  return [`${method} ${url.pathname}${url.search} HTTP/1.1`, ...kept, "connection: close", "", ""].join("\r\n");
}

export function startRecordingProxy(options?: RecordingProxyOptions): Promise<RecordingProxy> {
  return RecordingProxy.start(options);
}
