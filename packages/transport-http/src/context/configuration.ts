import { defineConfiguration, type ValuesOf } from "@incipit/kernel";
import * as z from "zod";

const portRule = "must be a whole number from 0 to 65535";

export const configuration = defineConfiguration({
  tables: () => ({
    listen: {
      host: z.string().min(1, 'must be an address, such as "127.0.0.1"').default("127.0.0.1"),
      /** 0: any free port. */
      port: z.int(portRule).min(0, portRule).max(65_535, portRule).default(4140),
      /** In addition to loopback. */
      allowed_hosts: z
        .array(z.string().regex(/^[^\s/]+$/, 'must be a name without scheme, such as "incipit.example"'))
        .default([]),
      allowed_origins: z
        .array(
          z
            .string()
            .regex(
              originPattern,
              'must be an origin without a path, such as "https://app.example", "tauri://localhost" or "vscode-webview://*"',
            ),
        )
        .default([]),
    },
  }),
  facts: () => ({
    token: z.string().min(16),
    version: z.string(),
  }),
  problems({ listen: { host, allowed_hosts: allowedHosts } }) {
    if (isLoopback(host) || allowedHosts.length > 0) return [];
    const message = `is "${host}", which others can reach; name the hosts to serve in "listen.allowed_hosts"`;
    return [{ path: ["listen", "host"], message }];
  },
  wishes({ listen: { host, allowed_origins: origins } }, { quote }) {
    const sentences = [
      ...(isLoopback(host) ? [] : [`exposes the host to the network, at ${quote(host)}`]),
      ...(origins.length === 0
        ? []
        : [`allows pages of ${origins.map(quote).join(", ")} to use the host with a token`]),
    ];
    return sentences.map((sentence) => ({ path: ["listen"], sentence, tells: [] }));
  },
});

export interface Settings {
  readonly token: string;
  readonly version: string;
  /** In addition to loopback, on any port. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/** Local names are checked with the port elsewhere. */
export function allowedHosts({
  host,
  allowed_hosts: listed,
}: Pick<ValuesOf<typeof configuration>["listen"], "host" | "allowed_hosts">): readonly string[] {
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const own = isEverywhere || isLoopback(host) ? [] : [host.includes(":") ? `[${host}]` : host];
  return [...listed, ...own];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Such as `https://app.example`, `tauri://localhost`, `app://*`; pages without an origin send `null`. */
export const originPattern = /^(?:null|https?:\/\/[^\s/*]+|(?!https?:)[a-z][a-z0-9+.-]*:\/\/(?:[^\s/*]+|\*))$/i;
