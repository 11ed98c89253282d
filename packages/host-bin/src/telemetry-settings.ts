import type { JsonValue } from "@incipit/kernel";
import type { Config } from "./config/config-schema.ts";
import { netEntry } from "./net-entry.ts";
import { version } from "./version.ts";

/** What `telemetry-otlp` is configured with. */
export function telemetrySettings({ telemetry }: Config): JsonValue {
  const { otlp_url: url, headers_env: headersEnv, service_name: serviceName } = telemetry;
  return { ...(url === undefined ? {} : { url }), headersEnv, serviceName, version };
}

/** Where the collector is; none: nobody is told anything. */
export function telemetryEndpoints({ telemetry }: Config): readonly string[] {
  return telemetry.otlp_url === undefined ? [] : [netEntry(telemetry.otlp_url, { isOperators: true })];
}

/** Variables whose values are sent to the collector as headers. */
export function telemetryVariables({ telemetry }: Config): readonly string[] {
  return Object.values(telemetry.headers_env);
}
