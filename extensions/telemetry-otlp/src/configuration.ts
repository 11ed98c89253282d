import { defineConfiguration, headersKey, proxyKey, urlKey } from "@incipit/kernel";
import * as z from "zod";

const urlRule = 'must be an http or https URL without a name and a password, such as "http://127.0.0.1:4318"';
const msRule = "must be a whole number of milliseconds";

/** The exported content (`content`) belongs to the orchestrator. */
export const configuration = defineConfiguration({
  tables: () => ({
    telemetry: {
      /** Base URL of `/v1/traces` and `/v1/metrics`; absent: nothing is exported. */
      otlp_url: urlKey(urlRule).exactOptional(),
      headers_env: headersKey().default({}),
      proxy: proxyKey().exactOptional(),
      service_name: z.string().min(1, "must be a name").default("incipit"),
    },
  }),
  settings: () => ({
    /** Also the interval of metric exports. */
    trace_interval_ms: z.int(msRule).min(1, msRule).default(5_000),
    metric_interval_ms: z.int(msRule).min(1, msRule).default(60_000),
    /** Includes retries; also limits the last export at shutdown. */
    timeout_ms: z.int(msRule).min(1, msRule).default(10_000),
  }),
  facts: () => ({
    version: z.string().default("unknown"),
  }),
  whole: ["telemetry"],
  needs({ telemetry: { otlp_url: url, headers_env: headers, proxy } }) {
    const variables = Object.values(headers).map((name) => ({ name, holds: "secret" }) as const);
    if (url === undefined) return { endpoints: [], variables };
    return { endpoints: [{ path: ["telemetry"], url, isOperators: true, proxy, variables }] };
  },
  wishes({ telemetry: { otlp_url: url, headers_env: headers } }, { quote, sending, given }) {
    if (url === undefined) return [];
    const what =
      given(["telemetry", "content"]) === true ? "traces, metrics and message content" : "traces and metrics";
    return [
      {
        path: ["telemetry"],
        sentence: `sends ${quote(url)} ${what}${sending(Object.values(headers))}`,
        tells: ["otlp_url", "headers_env"],
      },
    ];
  },
});
