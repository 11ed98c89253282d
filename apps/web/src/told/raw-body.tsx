import type { StepRequest } from "@incipit/schema";
import type { JSX } from "preact";
import { CopyButton } from "../controls/copy-button.tsx";
import { Facts } from "../controls/layout.tsx";
import { LongText } from "../controls/long-text.tsx";
import { Pending } from "../controls/problem.tsx";
import { useLoad } from "../session/use-load.ts";
import { hexOf } from "../text/bytes.ts";
import { toldWords } from "../text/told-words.ts";

interface RawBodyProps {
  readonly load: (signal: AbortSignal) => Promise<StepRequest>;
  readonly id: string;
}

export function RawBody({ load, id }: RawBodyProps): JSX.Element {
  const loaded = useLoad(
    async (signal) => {
      const request = await load(signal);
      const bytes = new TextEncoder().encode(request.body);
      return { request, sizeBytes: bytes.length, seenSha256: await sha256Of(bytes) };
    },
    [id],
  );
  return loaded.state === "ready" ? <Request {...loaded.value} /> : <Pending of={loaded} />;
}

interface RequestProps {
  readonly request: StepRequest;
  readonly sizeBytes: number;
  /** `undefined` outside a secure context, without hashing. */
  readonly seenSha256: string | undefined;
}

function Request({ request, sizeBytes, seenSha256 }: RequestProps): JSX.Element {
  const said = toldWords.body;
  const { method, url, headers, body, sha256 } = request;
  return (
    <>
      <Facts
        facts={[
          [said.address, <code key="address">{`${method} ${url}`}</code>],
          [said.sentHash, <code key="hash">{sha256}</code>],
        ]}
      />
      <p role="status">{truthOf(request, seenSha256)}</p>
      <div class="row">
        <CopyButton text={body} />
        <span class="quiet">{said.size(sizeBytes)}</span>
      </div>
      <LongText text={body} label={said.label} />
      <h3>{said.headers}</h3>
      <LongText
        text={Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join("\n")}
        label={said.headers}
      />
    </>
  );
}

function truthOf(
  { sha256, storedSha256, isRedacted, redactions }: StepRequest,
  seenSha256: string | undefined,
): string | undefined {
  const said = toldWords.body;
  if (seenSha256 === undefined) return undefined;
  if (isRedacted && seenSha256 === storedSha256)
    return said.redacted(redactions.map(({ kind, count }) => `${count} × ${kind}`).join(", "));
  return seenSha256 === sha256 ? said.same : said.differs;
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  return isSecureContext ? hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))) : undefined;
}
