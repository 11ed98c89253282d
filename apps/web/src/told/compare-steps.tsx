import type { AuditedStep, ConversationId, Message, StepRecord } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Select } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import { Pending } from "../controls/problem.tsx";
import { TextDiffView } from "../controls/text-diff-view.tsx";
import { useRoute } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { bytesOf } from "../text/bytes.ts";
import { toldWords } from "../text/told-words.ts";
import { beginningOf, messageSize } from "./context-parts.ts";
import { lineDiff } from "./line-diff.ts";
import { MessageParts } from "./messages-section.tsx";

/** Maximum number of compared messages, from the first difference on. */
const mostPairs = 50;

interface CompareProps {
  readonly conversationId: ConversationId;
  readonly record: StepRecord;
  /** All calls, oldest first. */
  readonly steps: readonly AuditedStep[];
}

export function CompareSteps({ conversationId, record, steps }: CompareProps): JSX.Element {
  const said = toldWords.compare;
  const index = steps.findIndex(({ id }) => id === record.step.id);
  const [chosenId, setChosenId] = useState<string>();
  const otherId = chosenId ?? steps[index - 1]?.id ?? "";
  return (
    <>
      <Select
        label={said.choose}
        value={otherId}
        options={[
          ["", said.nothing],
          ...steps.flatMap(({ id, startedAt }, place) =>
            id === record.step.id
              ? []
              : [[id, `${toldWords.list.step(place + 1)} · ${amounts.time(startedAt)}`] as const],
          ),
        ]}
        onChoose={setChosenId}
      />
      {otherId !== "" && (
        <WithOther key={otherId} conversationId={conversationId} record={record} otherId={otherId} />
      )}
    </>
  );
}

interface WithOtherProps extends Pick<CompareProps, "conversationId" | "record"> {
  readonly otherId: string;
}

function WithOther({ conversationId, record, otherId }: WithOtherProps): JSX.Element {
  const loaded = useRoute(routes.getStepRecord, { params: { id: conversationId, stepId: otherId } });
  return loaded.state === "ready" ? <Comparison record={record} other={loaded.value} /> : <Pending of={loaded} />;
}

function Comparison({ record, other }: BothProps): JSX.Element {
  const said = toldWords.compare;
  return (
    <div class="comparison">
      <p>{bodiesText(record, other)}</p>
      <h3>{said.settings}</h3>
      <p>
        {record.step.model === other.step.model
          ? said.same(record.step.model)
          : `${said.other}: ${other.step.model}. ${said.this}: ${record.step.model}.`}
      </p>
      <h3>{toldWords.tools.title}</h3>
      <Tools record={record} other={other} />
      <h3>{toldWords.system.title}</h3>
      <Systems record={record} other={other} />
      <h3>{toldWords.messages.title}</h3>
      <Messages ours={record.messages} theirs={other.messages} />
    </div>
  );
}

interface BothProps {
  readonly record: StepRecord;
  readonly other: StepRecord;
}

function bodiesText({ request }: StepRecord, { request: theirs }: StepRecord): string {
  const said = toldWords.compare;
  if (request === null || theirs === null) return said.gone;
  if (request.sha256 === theirs.sha256) return said.sameBodies;
  const [ours, others] = [bytesOf(request.body), bytesOf(theirs.body)];
  let until = 0;
  while (until < ours.length && ours[until] === others[until]) until += 1;
  return said.sameUntil(until);
}

function Systems({ record, other }: BothProps): JSX.Element {
  const said = toldWords.compare;
  const [ours, theirs] = [record.systemTexts?.join("\n\n"), other.systemTexts?.join("\n\n")];
  if (ours === undefined || theirs === undefined) return <p class="quiet">{said.gone}</p>;
  return (
    <TextDiffView
      diff={lineDiff(theirs, ours)}
      label={toldWords.system.title}
      same={said.same(toldWords.system.title)}
      cut={toldWords.drift.cut}
    />
  );
}

function Tools({ record, other }: BothProps): JSX.Element {
  const said = toldWords.compare;
  if (record.tools === null || other.tools === null) return <p class="quiet">{said.gone}</p>;
  const textsOf = (tools: NonNullable<StepRecord["tools"]>): ReadonlyMap<string, string> =>
    new Map(tools.map((tool) => [tool.name, JSON.stringify(tool)]));
  const [ours, theirs] = [textsOf(record.tools), textsOf(other.tools)];
  const lists = [
    [said.added, [...ours.keys()].filter((name) => !theirs.has(name))],
    [said.removed, [...theirs.keys()].filter((name) => !ours.has(name))],
    [said.changed, [...ours.keys()].filter((name) => theirs.has(name) && theirs.get(name) !== ours.get(name))],
  ] as const;
  if (lists.every(([, names]) => names.length === 0)) return <p>{said.same(toldWords.tools.title)}</p>;
  return (
    <ul>
      {lists.map(
        ([title, names]) => names.length > 0 && <li key={title} dir="auto">{`${title}: ${names.join(", ")}`}</li>,
      )}
    </ul>
  );
}

interface MessagesProps {
  readonly ours: StepRecord["messages"];
  readonly theirs: StepRecord["messages"];
}

function Messages({ ours, theirs }: MessagesProps): JSX.Element {
  const said = toldWords.compare;
  if (ours === null || theirs === null) return <p class="quiet">{said.gone}</p>;
  let same = 0;
  while (same < ours.length && same < theirs.length && isSame(ours[same], theirs[same])) same += 1;
  const left = Math.max(ours.length, theirs.length) - same;
  const pairs = Array.from({ length: Math.min(left, mostPairs) }, (_, offset) => same + offset);
  return (
    <>
      {same > 0 && <p>{said.sameMessages(same)}</p>}
      {left > 0 && (
        <div class="pairs">
          <p class="quiet">{said.other}</p>
          <p class="quiet">{said.this}</p>
          {pairs.map((index) => [
            <Side key={`theirs-${index}`} message={theirs[index]} index={index} />,
            <Side key={`ours-${index}`} message={ours[index]} index={index} />,
          ])}
        </div>
      )}
      {left > mostPairs && <p class="quiet">{said.more(left - mostPairs)}</p>}
    </>
  );
}

function Side({ message, index }: { readonly message: Message | undefined; readonly index: number }): JSX.Element {
  if (message === undefined) return <p class="quiet">{toldWords.compare.nothingHere}</p>;
  const { item, roles } = toldWords.messages;
  const title = `${item(index + 1, roles[message.role], messageSize(message))} · ${beginningOf(message)}`;
  return (
    <Folded title={title}>
      <MessageParts message={message} />
    </Folded>
  );
}

/** Ids and times do not reach the model. */
function isSame(one: Message | undefined, other: Message | undefined): boolean {
  return one?.role === other?.role && JSON.stringify(one?.parts) === JSON.stringify(other?.parts);
}
