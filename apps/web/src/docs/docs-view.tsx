import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CodeBlock } from "../controls/code-block.tsx";
import { Markdown } from "../controls/markdown.tsx";
import { Pending } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { docsWords } from "../text/docs-words.ts";
import { words } from "../text/words.ts";
import { eventTypes, readDocument, type ApiDocument, type Operation, type SchemaNode } from "./api-document.ts";
import { Entry } from "./entry.tsx";
import { firstSentence, OperationView } from "./operation-view.tsx";
import { Shape } from "./shape.tsx";

/** Readable without sign-in. */
export function DocsView(): JSX.Element {
  const loaded = useLoad(async (signal) => readDocument(await api.call(routes.getOpenApi, { signal })), []);
  useEffect(() => {
    document.title = `${docsWords.title} · ${words.product}`;
  }, []);
  return (
    <div class="docs">
      <a class="skip" href="#content">
        {words.nav.skip}
      </a>
      {loaded.state === "ready" && <Sections document={loaded.value} />}
      <main id="content" tabIndex={-1}>
        <header>
          <h1>{docsWords.title}</h1>
          <p class="quiet">{loaded.state === "ready" && docsWords.version(loaded.value.info.version)}</p>
        </header>
        <Pending of={loaded} />
        {loaded.state === "ready" && <Content document={loaded.value} />}
      </main>
    </div>
  );
}

function Sections({ document }: { readonly document: ApiDocument }): JSX.Element {
  const sections = [...document.tags.map(({ name }) => name), docsWords.events, docsWords.shapes, docsWords.errors];
  return (
    <nav aria-label={docsWords.sections}>
      <a class="product" href="/">
        {words.product}
      </a>
      <ul>
        {sections.map((name) => (
          <li key={name}>
            <a href={`#section-${name}`}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Content({ document }: { readonly document: ApiDocument }): JSX.Element {
  const [sought, setSought] = useState("");
  const found = document.operations.filter((operation) => matches(operation, sought));
  return (
    <>
      <Markdown text={document.info.description} />
      <p>
        <a href="/openapi.json">{docsWords.document}</a> {docsWords.documentNote}
      </p>
      <div class="row find">
        <label for="find">{docsWords.find}</label>
        <input
          id="find"
          type="search"
          value={sought}
          onInput={({ currentTarget }) => setSought(currentTarget.value)}
        />
        <span role="status" class="quiet">
          {found.length === 0 ? docsWords.noneFound : docsWords.found(found.length)}
        </span>
      </div>
      {document.tags.map(({ name, description }) => {
        const operations = found.filter(({ tags }) => tags.includes(name));
        return (
          operations.length > 0 && (
            <section key={name} aria-labelledby={`section-${name}`}>
              <h2 id={`section-${name}`}>{name}</h2>
              <p class="quiet">{description}</p>
              {operations.map((operation) => (
                <OperationView key={operation.operationId} operation={operation} document={document} />
              ))}
            </section>
          )
        );
      })}
      <Events document={document} />
      <Shapes document={document} />
      <Errors document={document} />
    </>
  );
}

function Events({ document }: { readonly document: ApiDocument }): JSX.Element {
  const { schemas } = document.components;
  const event = document.operations
    .flatMap(({ responses }) =>
      Object.values(responses).flatMap((answer) =>
        "$ref" in answer ? [] : [answer.content["text/event-stream"]?.example],
      ),
    )
    .find((example) => example !== undefined);
  return (
    <section aria-labelledby={`section-${docsWords.events}`}>
      <h2 id={`section-${docsWords.events}`}>{docsWords.events}</h2>
      <p class="quiet">{docsWords.eventsIntro}</p>
      {event !== undefined && (
        <>
          <p class="quiet">{docsWords.eventsExample}</p>
          <CodeBlock code={asSent(event)} language={undefined} />
        </>
      )}
      <Entry id="TurnEvent" summary={<h3>TurnEvent</h3>}>
        {() => <Shape node={schemas["TurnEvent"] ?? {}} schemas={document.components.schemas} />}
      </Entry>
      {eventTypes(document).map(([type, name]) => (
        <Entry
          key={name}
          id={name}
          summary={
            <>
              <h3>{type}</h3>
              <span class="words">{wordsOf(schemas[name])}</span>
            </>
          }
        >
          {() => <Shape node={schemas[name] ?? {}} schemas={document.components.schemas} />}
        </Entry>
      ))}
    </section>
  );
}

function Shapes({ document }: { readonly document: ApiDocument }): JSX.Element {
  const elsewhere = new Set(["TurnEvent", ...eventTypes(document).map(([, name]) => name)]);
  const names = Object.keys(document.components.schemas).filter(
    (name) => !elsewhere.has(name) && !(name in document.components.responses),
  );
  return (
    <section aria-labelledby={`section-${docsWords.shapes}`}>
      <h2 id={`section-${docsWords.shapes}`}>{docsWords.shapes}</h2>
      <p class="quiet">{docsWords.shapesIntro}</p>
      {names.map((name) => (
        <Entry
          key={name}
          id={name}
          summary={
            <>
              <h3>{name}</h3>
              <span class="words">{wordsOf(document.components.schemas[name])}</span>
            </>
          }
        >
          {() => <Shape node={document.components.schemas[name] ?? {}} schemas={document.components.schemas} />}
        </Entry>
      ))}
    </section>
  );
}

function wordsOf(node: SchemaNode | undefined): string {
  const words = node?.["description"];
  return typeof words === "string" ? words : "";
}

function Errors({ document }: { readonly document: ApiDocument }): JSX.Element {
  const { responses, schemas } = document.components;
  return (
    <section aria-labelledby={`section-${docsWords.errors}`}>
      <h2 id={`section-${docsWords.errors}`}>{docsWords.errors}</h2>
      <p class="quiet">{docsWords.errorsIntro}</p>
      {Object.entries(responses).map(([name, answer]) => (
        <Entry
          key={name}
          id={name}
          summary={
            <>
              <h3>{name}</h3>
              <span class="words">{firstSentence(answer)}</span>
            </>
          }
        >
          {() => (
            <>
              <Markdown text={answer.description} />
              <Shape node={schemas[name] ?? {}} schemas={document.components.schemas} />
            </>
          )}
        </Entry>
      ))}
    </section>
  );
}

function matches({ path, summary, method, operationId }: Operation, sought: string): boolean {
  const text = `${method} ${path} ${summary} ${operationId}`.toLowerCase();
  return text.includes(sought.trim().toLowerCase());
}

function asSent(event: unknown): string {
  const [seq, type] =
    typeof event === "object" && event !== null && "seq" in event && "type" in event ? [event.seq, event.type] : [];
  return `id: ${String(seq)}\nevent: ${String(type)}\ndata: ${JSON.stringify(event)}`;
}
