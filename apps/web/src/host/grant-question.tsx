import { ApiClientError, grantRequiredDetailsSchema, type CapabilitiesInfo } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type * as z from "zod";
import { Button } from "../controls/fields.tsx";
import { TextList } from "../controls/layout.tsx";
import { hostWords } from "../text/host-words.ts";
import { words } from "../text/words.ts";

const said = hostWords.extensions;

type Details = z.infer<typeof grantRequiredDetailsSchema>;

interface Answer {
  readonly grant?: CapabilitiesInfo;
  readonly sha256?: string;
  readonly data?: "keep" | "drop";
}

interface Question {
  readonly details: Details;
  readonly answer: (data: "keep" | "drop" | undefined) => void;
  readonly refuse: () => void;
}

export interface Grant {
  readonly question: Question | undefined;
  /** Resolves with `undefined` if the grant is refused. */
  readonly trying: <Result>(work: (answer: Answer) => Promise<Result>) => Promise<Result | undefined>;
}

export function useGrant(): Grant {
  const [question, setQuestion] = useState<Question>();
  const trying: Grant["trying"] = async (work) => {
    try {
      return await work({});
    } catch (error) {
      const details = detailsOf(error);
      if (details === undefined) throw error;
      const answered = Promise.withResolvers<Answer | undefined>();
      const { grant, sha256 } = details;
      setQuestion({
        details,
        answer: (data) => answered.resolve({ grant, sha256, ...(data === undefined ? {} : { data }) }),
        refuse: () => answered.resolve(undefined),
      });
      const answer = await answered.promise;
      setQuestion(undefined);
      return answer === undefined ? undefined : work(answer);
    }
  };
  return { question, trying };
}

function detailsOf(error: unknown): Details | undefined {
  if (!(error instanceof ApiClientError) || error.code !== "GRANT_REQUIRED") return undefined;
  return grantRequiredDetailsSchema.safeParse(error.details).data;
}

export function GrantQuestion({ grant: { question } }: { readonly grant: Grant }): JSX.Element | null {
  if (question === undefined) return null;
  const { details, answer, refuse } = question;
  const { id, version, stored } = details;
  const fresh = new Set(details.newWords);
  return (
    <section class="approval" aria-label={said.asksFor(id, version)}>
      <h3>{said.asksFor(id, version)}</h3>
      <TextList texts={details.words.map((line) => (fresh.has(line) ? `${line} (${said.isNew})` : line))} />
      {stored > 0 && <p>{said.stored(stored)}</p>}
      <div class="row">
        {stored === 0 ? (
          <Button text={said.grant} class="main" onClick={() => answer(undefined)} />
        ) : (
          (["keep", "drop"] as const).map((data) => (
            <Button text={`${said.grant}: ${said[data]}`} key={data} onClick={() => answer(data)} />
          ))
        )}
        <Button text={words.conversations.cancel} onClick={refuse} />
      </div>
    </section>
  );
}
