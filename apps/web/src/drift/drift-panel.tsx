import type { ConversationId, PromptDrift } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { AskingButton } from "../controls/confirm.tsx";
import { Folded } from "../controls/folded.tsx";
import { Pending, useTrying } from "../controls/problem.tsx";
import { TextDiffView } from "../controls/text-diff-view.tsx";
import { api } from "../session/api.ts";
import { amounts } from "../text/amounts.ts";
import { toldWords } from "../text/told-words.ts";
import { useDrift } from "./use-drift.ts";

interface PanelProps {
  readonly id: ConversationId;
  readonly changes: unknown;
}

export function DriftPanel({ id, changes }: PanelProps): JSX.Element {
  const said = toldWords.drift;
  const loaded = useDrift(id, [changes]);
  const { trying, problem, done } = useTrying();
  const rebuild = async (): Promise<string> => {
    const { outcome } = await api.call(routes.rebuildPrompt, { params: { id }, body: {} });
    loaded.reload();
    return outcome === "rebuilt" ? said.rebuilt : said.unchanged;
  };
  const drift = loaded.known;
  const differs = drift !== undefined && drift !== null && !drift.isSame;
  return (
    <section class="drift" data-differs={differs}>
      {loaded.state === "failed" && <Pending of={loaded} />}
      {problem}
      <p role="status">{done}</p>
      {drift === null && <p class="quiet">{said.none}</p>}
      {drift?.isSame === true && <p class="quiet">{said.same}</p>}
      {differs && (
        <>
          <Difference drift={drift} />
          <div class="row">
            <AskingButton
              text={said.rebuild}
              question={{
                title: said.askTitle,
                text: `${costOf(drift)} ${said.ask}`,
                agree: said.agree,
                onAgree: () => void trying(rebuild),
              }}
            />
          </div>
        </>
      )}
    </section>
  );
}

function Difference({ drift }: { readonly drift: PromptDrift }): JSX.Element {
  const said = toldWords.drift;
  const { hunks, kept } = drift;
  const causes = new Map(
    hunks.flatMap((hunk) => hunk.causes.map((cause) => [`${cause.kind} ${cause.name}`, cause])),
  );
  return (
    <>
      <h2>{said.title}</h2>
      <p>{said.keptSince(amounts.time(kept.constructedAt))}</p>
      <ul>
        {[...causes].map(([key, { kind, name, detail }]) => (
          <li key={key} dir="auto">
            <strong>{`${said.kinds[kind]} ${name}`.trim()}</strong>
            {`: ${detail}`}
          </li>
        ))}
      </ul>
      <Folded title={said.diff}>
        <TextDiffView diff={drift} label={said.diff} same={said.same} cut={said.cut} />
      </Folded>
      <p>{costOf(drift)}</p>
    </>
  );
}

function costOf({ rebuildCost: { tokens, usd } }: PromptDrift): string {
  return toldWords.drift.cost(tokens.count, tokens.method === "estimate", usd);
}
