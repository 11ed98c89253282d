import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Room } from "../controls/layout.tsx";
import { Problem, Pending } from "../controls/problem.tsx";
import { goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { compareWords } from "../text/compare-words.ts";
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

export function CompareView(chosen: CompareProps): JSX.Element {
  const loaded = useLoad(async (signal): Promise<Sides> => {
    const query = { limit: shown };
    const [{ versions }, { conversations }] = await Promise.all([
      api.call(routes.listTemplateVersions, { query, signal }),
      api.call(routes.listConversations, { query, signal }),
    ]);
    return { versions, conversations };
  }, []);
  const texts = { left: useSideText(chosen.left), right: useSideText(chosen.right) };
  const failed = [texts.left, texts.right].find((text) => text.state === "failed");
  return (
    <Room class="compare" title={said.title} intro={said.intro}>
      <Pending of={loaded} />
      {loaded.state === "ready" && (
        <div class="sides">
          {(["left", "right"] as const).map((side) => (
            <SidePicker
              key={side}
              side={side}
              chosen={chosen[side]}
              sides={loaded.value}
              text={texts[side]}
              onChoose={(text) => goTo({ view: "compare", ...chosen, [side]: text })}
            />
          ))}
        </div>
      )}
      {failed?.state === "failed" && <Problem error={failed.error} />}
      {texts.left.state === "ready" && texts.right.state === "ready" && (
        <SideTable left={texts.left.text} right={texts.right.text} />
      )}
    </Room>
  );
}
