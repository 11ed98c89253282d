import { defineExtension, type Extension } from "@incipit/kernel";
import { workObserversPoint } from "@incipit/service-contract";
import { configuration } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "telemetry-otlp",
    version: "0.1.0",
    api: "^1",
    // The host grants only what the operator's configuration names.
    capabilities: { net: true, env: true },
    contributes: ["work-observers@1"],
  },
  { configuration },
  async (host, settings) => {
    const { otlp_url: url, headers_env: headersEnv, service_name: serviceName } = settings.telemetry;
    if (url === undefined) return;
    const { Telemetry } = await import("./telemetry.ts");
    const telemetry = new Telemetry(host, {
      url,
      headersEnv,
      serviceName,
      version: settings.version,
      traceIntervalMs: settings.trace_interval_ms,
      metricIntervalMs: settings.metric_interval_ms,
      timeoutMs: settings.timeout_ms,
    });
    host.defer("telemetry", () => telemetry.close());
    host.contribute(workObserversPoint, { id: host.id, observe: (work) => telemetry.observe(work) });
  },
);

export default extension;
