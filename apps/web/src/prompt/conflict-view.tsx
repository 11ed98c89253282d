import type { TemplateConflict } from "@incipit/schema";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../controls/fields.tsx";
import { amounts } from "../text/amounts.ts";

interface ConflictViewProps {
  readonly conflict: Pick<TemplateConflict, "theirs" | "author" | "createdAt">;
  readonly said: {
    readonly title: string;
    readonly text: string;
    readonly by: (author: string | null, at: string | null) => string;
    readonly mine: string;
    readonly theirs: string;
    readonly later: string;
  };
  readonly onMine: () => void;
  readonly onTheirs: () => void;
  readonly onLater: () => void;
}

const longestShown = 100_000;

export function ConflictView({
  conflict: { theirs, author, createdAt },
  said,
  onMine,
  onTheirs,
  onLater,
}: ConflictViewProps): JSX.Element {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  return (
    <section class="conflict" aria-labelledby="conflict-title">
      <h2 id="conflict-title" ref={title} tabIndex={-1}>
        {said.title}
      </h2>
      <p>
        {said.text}{" "}
        <span class="quiet">{said.by(author, createdAt === null ? null : amounts.time(createdAt))}</span>
      </p>
      <pre tabIndex={0} dir="auto" role="region" aria-label={said.text}>
        {theirs.length > longestShown ? `${theirs.slice(0, longestShown)}…` : theirs}
      </pre>
      <div class="row">
        <Button text={said.mine} class="main" onClick={onMine} />
        <Button text={said.theirs} onClick={onTheirs} />
        <Button text={said.later} class="plain" onClick={onLater} />
      </div>
    </section>
  );
}
