import { createClient, statusByErrorCode, type ApiErrorCode, type Client } from "@incipit/transport-contract";

/** A client of a host that gives these answers, one after the other; a `Response` as it is, everything else as JSON. */
export function answeringClient(...answers: readonly unknown[]): Client {
  const left = [...answers];
  const fetch = async (url: string): Promise<Response> => {
    if (left.length === 0) throw new Error(`No answer is left for ${url}`);
    const answer = left.shift();
    return answer instanceof Response ? answer : Response.json(answer);
  };
  return createClient({ url: "http://host.test", token: "token", fetch });
}

/** How a host refuses. */
export function refusal(code: ApiErrorCode): Response {
  return Response.json({ error: { code, message: `refused with ${code}` } }, { status: statusByErrorCode[code] });
}
