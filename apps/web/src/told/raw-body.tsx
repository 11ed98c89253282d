import type { StepRequest } from "@incipit/schema";
import type { JSX } from "preact";
import { CopyButton } from "../controls/copy-button.tsx";
import { LongText } from "../controls/long-text.tsx";
import { Problem } from "../controls/problem.tsx";
import { useLoad } from "../session/use-load.ts";
import { toldWords } from "../text/told-words.ts";
import { words } from "../text/words.ts";

interface RawBodyProps {
  readonly load: (signal: AbortSignal) => Promise<StepRequest>;
  readonly id: string;
}

export function RawBody({ load, id }: RawBodyProps): JSX.Element {
  const { loaded, reload } = useLoad(
    async (signal) => {
      const request = await load(signal);
      const bytes = new TextEncoder().encode(request.body);
      return { request, sizeBytes: bytes.length, seenSha256: await sha256Of(bytes) };
    },
    [id],
  );
  if (loaded.state === "loading") return <p class="quiet">{words.state.loading}</p>;
  if (loaded.state === "failed") return <Problem error={loaded.error} onRetry={reload} />;
  return <Request {...loaded.value} />;
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
      <dl class="facts">
        <dt>{said.address}</dt>
        <dd>
          <code>{`${method} ${url}`}</code>
        </dd>
        <dt>{said.sentHash}</dt>
        <dd>
          <code>{sha256}</code>
        </dd>
      </dl>
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
  if (!isSecureContext) return undefined;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
