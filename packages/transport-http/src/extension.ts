import { defineExtension, type Extension } from "@incipit/kernel";
import { hostDefaultsHandle, httpEndpointHandle } from "@incipit/service-contract";
import { allowedHosts, configuration } from "./context/configuration.ts";
import { serviceReferences, type Services } from "./context/services.ts";

const closeTimeoutMs = 2_000;

/** Bun's maximum; longer than any answer, and than the interval of keep-alive comments. */
const idleTimeoutSeconds = 255;

const extension: Extension = defineExtension(
  {
    id: "transport-http",
    version: "0.1.0",
    api: "^1",
    capabilities: { listen: true },
    dependsOn: {
      required: ["host-defaults@1"],
      optional: [
        "access-tokens@1",
        "approvals@1",
        "chats@1",
        "conversations@1",
        "conversation-records@1",
        "file-changes@1",
        "message-files@1",
        "model-calls@1",
        "client-conversations@1",
        "page-files@1",
        "profiles@1",
        "skills@1",
        "commands@1",
        "prompt-history@1",
        "step-records@1",
        "system-prompt@1",
        "prompt-templates@1",
        "extension-manager@1",
        "heartbeat@1",
        "schedules@1",
        "storage-report@1",
        "host-configuration@1",
        "trusted-folders@1",
        "tool-servers@1",
        "offered-tool-servers@1",
        "unattended@1",
      ],
    },
    provides: ["http-endpoint@1", "background-hand-over@1", "client-conversation-holds@1"],
    reads: ["model-providers@1"],
  },
  { configuration },
  async (host, { listen, token, version }) => {
    // A command that only reads the configuration does not wait for it.
    const [{ createApp }, { PageSessions }, { openResponses }] = await Promise.all([
      import("./app.ts"),
      import("./request/page-sessions.ts"),
      import("./responses/open-responses.ts"),
    ]);
    let port: number | undefined;
    const sessions = new PageSessions({ token, port: () => port, clock: host.clock });
    const services: Services = {
      id: host.id,
      settings: {
        token,
        version,
        allowedHosts: allowedHosts(listen),
        allowedOrigins: listen.allowed_origins,
      },
      defaults: host.getService(hostDefaultsHandle).get(),
      port: () => port,
      signals: [host.signal, host.draining],
      waitUntil: (work) => host.waitUntil(work),
      clock: host.clock,
      log: host.log,
      ...serviceReferences(host),
    };
    const app = createApp(services, { sessions, ...openResponses(host, services) });
    const listener = await host.listen.http({
      host: listen.host,
      port: listen.port,
      idleTimeoutSeconds,
      // The API enforces its own limit in its error format; unread data stays in the socket.
      maxBodyBytes: Number.MAX_SAFE_INTEGER,
      fetch: (request) => app.fetch(request),
    });
    port = listener.port;
    host.defer("listener", () => listener.close(closeTimeoutMs));
    const name = listener.host.includes(":") ? `[${listener.host}]` : listener.host;
    host.provideService(httpEndpointHandle, { url: `http://${name}:${listener.port}` });
  },
);

export default extension;
