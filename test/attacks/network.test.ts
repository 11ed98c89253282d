import { startRecordingModelServer, startRecordingProxy } from "@incipit/testkit";
import { join } from "node:path";
import { HostProcess, incipit } from "../support/host-process.ts";
import { attack } from "./attack.ts";

const key = "planted-key-of-the-vendor-1";

function configOf({ model, provider }: { readonly model: string; readonly provider: string }): string {
  return `model = "${model}"
[providers.local]
kind = "openai-compatible"
api_key_env = "LOCAL_KEY"
${provider}
`;
}

attack("network-proxy-token", {
  async attempt({ command, folder, isControl }) {
    await using proxy = await startRecordingProxy();
    const data = join(folder, "data");
    const config = join(folder, "mine.toml");
    await Bun.write(config, "");
    await using host = await HostProcess.start({ data, config, cwd: folder, command });
    const env = { HTTP_PROXY: proxy.url, http_proxy: proxy.url, ALL_PROXY: proxy.url, NO_PROXY: "" };
    const url = `${host.url}/health`;
    // Any program that calls the host with Bun's plain fetch.
    const script = `await fetch("${url}", { headers: { authorization: "Bearer ${host.token}" } })`;
    const { exitCode } = isControl
      ? await incipit(["-e", script], { cwd: folder, home: folder, command: [process.execPath], env })
      : await incipit(["Hello", "--data", data, "--config", config], { cwd: folder, home: folder, command, env });
    const hasToken = proxy.requests.some(({ headers }) => headers["authorization"]?.includes(host.token));
    return { exitCode, hasToken };
  },
  held: { exitCode: 0, hasToken: false },
  bites: { exitCode: 0, hasToken: true },
});

attack("network-proxy-local-provider", {
  async attempt({ command, folder, isControl }) {
    await using model = await startRecordingModelServer();
    await using proxy = await startRecordingProxy({ port: Number(new URL(model.url).port) });
    // A name that only the proxy can resolve.
    const base = isControl ? "http://models.far.test/v1" : model.url;
    await Bun.write(join(folder, "mine.toml"), configOf({ model: "local/test", provider: `base_url = "${base}"` }));
    const env = { HTTP_PROXY: proxy.url, http_proxy: proxy.url, LOCAL_KEY: key };
    const args = ["Hello", "--data", join(folder, "data"), "--config", join(folder, "mine.toml")];
    const { exitCode } = await incipit(args, { cwd: folder, home: folder, command, env });
    const isKeySeen = proxy.requests.some(({ headers }) => headers["authorization"] === `Bearer ${key}`);
    return { exitCode, isAsked: model.requests.length > 0, isKeySeen };
  },
  held: { exitCode: 0, isAsked: true, isKeySeen: false },
  bites: { exitCode: 0, isAsked: true, isKeySeen: true },
});

const certificate = join(import.meta.dir, "../fixtures/localhost.cert.pem");

/** Each makes a provider's identity unverifiable. */
const tlsVariables = {
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  NODE_EXTRA_CA_CERTS: certificate,
  SSL_CERT_FILE: certificate,
} as const;

attack("network-tls-variables", {
  async attempt({ command, folder, isControl }) {
    const isKeySent = async (env: Readonly<Record<string, string>>): Promise<boolean> => {
      const seen: (string | null)[] = [];
      using vendor = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        tls: { cert: Bun.file(certificate), key: Bun.file(certificate.replace("cert", "key")) },
        fetch(request) {
          seen.push(request.headers.get("authorization"));
          return new Response("no", { status: 400 });
        },
      });
      const base = `base_url = "https://127.0.0.1:${vendor.port}/v1"`;
      await Bun.write(join(folder, "mine.toml"), configOf({ model: "local/test", provider: base }));
      const args = ["Hello", "--data", join(folder, "data"), "--config", join(folder, "mine.toml")];
      await incipit(args, { cwd: folder, home: folder, command, env: { LOCAL_KEY: key, ...env } });
      return seen.includes(`Bearer ${key}`);
    };
    const lines = Object.entries(tlsVariables).map(([name, value]) => `${name}=${value}\n`);
    for (const file of [".env", ".env.local", ".env.production"])
      await Bun.write(join(folder, file), lines.join(""));
    if (!isControl) return { isKeySent: await isKeySent({}) };
    const each = Object.entries(tlsVariables).map(([name, value]) => ({ [name]: value }));
    const sent: boolean[] = [];
    for (const env of each) sent.push(await isKeySent(env));
    return { isKeySent: sent.every(Boolean) };
  },
  held: { isKeySent: false },
  bites: { isKeySent: true },
});
