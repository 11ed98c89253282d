import { Fragment, type ComponentChildren, type JSX } from "preact";
import { amounts } from "../text/amounts.ts";
import { CopyButton } from "./copy-button.tsx";

interface RoomProps {
  readonly title: string;
  readonly intro: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** Content of the page beside its navigation. */
export function Room({ title, intro, class: roomClass, children }: RoomProps): JSX.Element {
  return (
    <main id="content" class={roomClass} tabIndex={-1} aria-label={title}>
      <h1>{title}</h1>
      <p class="quiet">{intro}</p>
      {children}
    </main>
  );
}

interface SectionProps {
  /** Also names the section in the page. */
  readonly id: string;
  readonly title: string;
  readonly intro?: string;
  readonly children: ComponentChildren;
}

export function Section({ id, title, intro, children }: SectionProps): JSX.Element {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {intro !== undefined && <p class="quiet">{intro}</p>}
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

interface FactsProps {
  /** Those without a value are left out. */
  readonly facts: readonly Fact[];
  readonly class?: string;
}

export function Facts({ facts, class: listClass = "facts" }: FactsProps): JSX.Element {
  return (
    <dl class={listClass}>
      {facts.map(
        ([name, value], index) =>
          value != null && (
            <Fragment key={index}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

export function Time({ at }: { readonly at: string }): JSX.Element {
  return <time dateTime={at}>{amounts.time(at)}</time>;
}

/** Lines for a file or a shell. */
export function Example({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} />
    </>
  );
}

/** A list of texts, each in its own writing direction. */
export function TextList({ texts }: { readonly texts: readonly string[] }): JSX.Element {
  return (
    <ul>
      {texts.map((text) => (
        <li key={text} dir="auto">
          {text}
        </li>
      ))}
    </ul>
  );
}

interface ScrolledTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** Index of the first column of numbers, up to the last one. */
  readonly numbersFrom?: number;
  readonly class?: string;
  readonly tableClass?: string;
  readonly role?: "region" | "group";
  /** Rows. */
  readonly children: ComponentChildren;
}

/** Wider than a narrow window, so that it scrolls in its own area. */
export function ScrolledTable(props: ScrolledTableProps): JSX.Element {
  const { label, columns, numbersFrom = columns.length, tableClass, role = "region", children } = props;
  return (
    <div class={props.class ?? "scrolled"} tabIndex={0} role={role} aria-label={label}>
      <table class={tableClass}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column} scope="col" class={index < numbersFrom ? undefined : "number"}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
