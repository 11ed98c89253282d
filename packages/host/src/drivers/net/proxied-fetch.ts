import { errorCode, errorMessage } from "../../failures/error-code.ts";
import type { NetRequest } from "./net-request.ts";
import { plainFetch } from "./plain-fetch.ts";
import type { Proxy } from "./proxy-choice.ts";

/** TLS uses a tunnel, where the proxy sees only the host. */
export async function proxiedFetch(
  request: NetRequest,
  { proxy, signal }: { readonly proxy: Proxy; readonly signal: AbortSignal },
): Promise<Response> {
  try {
    return await plainFetch(request, signal, { proxy: proxy.url });
  } catch (cause) {
    signal.throwIfAborted();
    const [reason = ""] = errorMessage(cause).split(/\.(?:\s|$)/);
    const message = `Cannot reach "${request.url.host}" through the proxy ${proxy.shown} (${proxy.from}): ${reason}`;
    throw Object.assign(new TypeError(message, { cause }), { code: errorCode(cause) });
  }
}
