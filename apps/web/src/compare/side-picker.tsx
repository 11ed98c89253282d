import type { Conversation, TemplateVersion } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useRoute } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { byteSize } from "../text/bytes.ts";
import { compareWords } from "../text/compare-words.ts";
import { words } from "../text/words.ts";
import type { SideText } from "./use-side-text.ts";

const said = compareWords;
const mostPrompts = 200;

export interface Sides {
  readonly versions: readonly TemplateVersion[];
  readonly conversations: readonly Pick<Conversation, "id" | "title">[];
}

interface PickerProps {
  readonly side: "left" | "right";
  readonly chosen: string | undefined;
  readonly sides: Sides;
  readonly text: SideText;
  readonly onChoose: (chosen: string | undefined) => void;
}

export function SidePicker({ side, chosen, sides, text, onChoose }: PickerProps): JSX.Element {
  const [kind, id = "", sha256 = ""] = (chosen ?? "").split(":");
  const { versions, conversations } = sides;
  const isListed = kind !== "prompt" || conversations.some((one) => one.id === id);
  const isKnown = kind !== "version" || versions.some(({ version }) => String(version) === id);
  return (
    <section aria-label={said.sides[side]}>
      <label>
        {said.what[side]}
        <select
          value={chosen === undefined ? "" : `${kind}:${id}`}
          onChange={({ currentTarget: { value } }) => onChoose(value === "" ? undefined : value)}
        >
          <option value="">{said.choose}</option>
          <optgroup label={said.versions}>
            {!isKnown && <option value={`version:${id}`}>{said.versionName(Number(id))}</option>}
            {versions.map(({ version, createdAt, note }) => (
              <option key={version} value={`version:${version}`}>
                {said.version(version, amounts.time(createdAt), note)}
              </option>
            ))}
          </optgroup>
          <optgroup label={said.conversations}>
            {!isListed && <option value={`prompt:${id}`}>{said.otherConversation(id)}</option>}
            {conversations.map((one) => (
              <option key={one.id} value={`prompt:${one.id}`}>
                {one.title ?? words.conversations.untitled}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      {kind === "prompt" && (
        <Prompts
          key={id}
          id={id}
          side={side}
          sha256={sha256}
          onChoose={(hash) => onChoose(hash === "" ? `prompt:${id}` : `prompt:${id}:${hash}`)}
        />
      )}
      {text.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {text.state === "ready" && <p class="quiet">{text.absence ?? said.size(byteSize(text.text))}</p>}
    </section>
  );
}

interface PromptsProps {
  readonly id: string;
  readonly side: "left" | "right";
  /** Empty for the newest. */
  readonly sha256: string;
  readonly onChoose: (sha256: string) => void;
}

function Prompts({ id, side, sha256, onChoose }: PromptsProps): JSX.Element | null {
  const loaded = useRoute(routes.listConstructions, { params: { id }, query: { limit: mostPrompts } });
  const constructions = loaded.state === "ready" ? loaded.value.constructions : [];
  // Deduplicated: the same text may have been built twice.
  const places = new Map(constructions.map((one, index) => [one.sha256, { ...one, place: index + 1 }]));
  if (places.size < 2) return null;
  const newest = constructions.at(-1)?.sha256;
  return (
    <label>
      {said.prompt[side]}
      <select
        value={sha256 === "" ? newest : sha256}
        onChange={({ currentTarget: { value } }) => onChoose(value === newest ? "" : value)}
      >
        {[...places.values()].map((one) => (
          <option key={one.sha256} value={one.sha256}>
            {said.promptOf(one.place, said.reasons[one.reason], amounts.time(one.constructedAt))}
          </option>
        ))}
      </select>
    </label>
  );
}
