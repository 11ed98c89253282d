import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Problem } from "../controls/problem.tsx";
import { goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { compareWords } from "../text/compare-words.ts";
import { words } from "../text/words.ts";
import { SidePicker, type Sides } from "./side-picker.tsx";
import { SideTable } from "./side-table.tsx";
import { useSideText } from "./use-side-text.ts";

const said = compareWords;
const shown = 200;

interface CompareProps {
  /** `version:NUMBER`, `prompt:CONVERSATION` or `prompt:CONVERSATION:SHA256`; `undefined` if nothing is chosen. */
  readonly left: string | undefined;
  readonly right: string | undefined;
}

export function CompareView({ left, right }: CompareProps): JSX.Element {
  const { loaded, reload } = useLoad(async (signal): Promise<Sides> => {
    const query = { limit: shown };
    const [{ versions }, { conversations }] = await Promise.all([
      api.call(routes.listTemplateVersions, { query, signal }),
      api.call(routes.listConversations, { query, signal }),
    ]);
    return { versions, conversations };
  }, []);
  const texts = { left: useSideText(left), right: useSideText(right) };
  const failed = [texts.left, texts.right].find((text) => text.state === "failed");
  return (
    <main id="content" class="compare" tabIndex={-1} aria-label={said.title}>
      <h1>{said.title}</h1>
      <p class="quiet">{said.intro}</p>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && (
        <div class="sides">
          <SidePicker
            side="left"
            chosen={left}
            sides={loaded.value}
            text={texts.left}
            onChoose={(chosen) => goTo({ view: "compare", left: chosen, right })}
          />
          <SidePicker
            side="right"
            chosen={right}
            sides={loaded.value}
            text={texts.right}
            onChoose={(chosen) => goTo({ view: "compare", left, right: chosen })}
          />
        </div>
      )}
      {failed?.state === "failed" && <Problem error={failed.error} />}
      {texts.left.state === "ready" && texts.right.state === "ready" && (
        <SideTable left={texts.left.text} right={texts.right.text} />
      )}
    </main>
  );
}
