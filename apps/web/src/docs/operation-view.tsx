import type { JSX } from "preact";
import { CodeBlock } from "../controls/code-block.tsx";
import { docsWords } from "../text/docs-words.ts";
import {
  nameOf,
  type Answer,
  type ApiDocument,
  type Operation,
  type Parameter,
  type Schemas,
} from "./api-document.ts";
import { curlLine } from "./curl-line.ts";
import { Entry } from "./entry.tsx";
import { MediaView } from "./shape.tsx";
import { typeText } from "./type-text.ts";

interface OperationViewProps {
  readonly operation: Operation;
  readonly document: ApiDocument;
}

export function OperationView({ operation, document }: OperationViewProps): JSX.Element {
  const { operationId, method, path, summary, security } = operation;
  const scopes = security.flatMap((one) => Object.values(one).flat());
  const scope = scopes.length === 0 ? undefined : scopes.join(" and ");
  return (
    <Entry
      id={operationId}
      summary={
        <>
          <h3>
            <span class={`method ${method.toLowerCase()}`}>{method}</span> <span class="path">{path}</span>
          </h3>
          <span class="words">{plain(summary)}</span>
          <span class="scope" title={scope === undefined ? docsWords.openWords : docsWords.scopeWords(scope)}>
            {scope ?? docsWords.open}
          </span>
        </>
      }
    >
      {() => <OperationDetails operation={operation} document={document} scope={scope} />}
    </Entry>
  );
}

function OperationDetails({
  operation,
  document,
  scope,
}: OperationViewProps & { readonly scope: string | undefined }): JSX.Element {
  const { description, parameters, requestBody, responses } = operation;
  const answers = Object.entries(responses).flatMap(([status, answer]) =>
    "$ref" in answer ? [] : [[status, answer] as const],
  );
  const errors = Object.entries(responses).flatMap(([status, answer]) =>
    "$ref" in answer ? [[status, nameOf(answer.$ref)] as const] : [],
  );
  return (
    <>
      <p>{plain(description)}</p>
      <p>{scope === undefined ? docsWords.openWords : docsWords.scopeWords(scope)}.</p>
      <h4>{docsWords.curl}</h4>
      <CodeBlock code={curlLine(operation, document.servers[0]?.url ?? location.origin)} language="bash" />
      <p class="quiet">
        {scope !== undefined && docsWords.curlToken}{" "}
        {parameters.some(({ required }) => required) && docsWords.curlVariables}
      </p>
      {parameters.length > 0 && <ParameterList parameters={parameters} />}
      {Object.values(requestBody?.content ?? {}).map((media, index) => (
        <div key={index} class="part">
          <h4>{docsWords.body}</h4>
          <MediaView media={media} schemas={document.components.schemas} />
        </div>
      ))}
      {answers.map(([status, answer]) => (
        <AnswerView
          key={status}
          status={status}
          answer={answer}
          isOnly={answers.length === 1 && Object.keys(answer.content).join(",") === "application/json"}
          schemas={document.components.schemas}
        />
      ))}
      <h4>{docsWords.errors}</h4>
      <ul class="errors">
        {errors.map(([status, name]) => (
          <li key={status}>
            <a href={`#${name}`}>{status === "default" ? docsWords.otherErrors : status}</a>
            {status !== "default" && ` ${firstSentence(document.components.responses[name])}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function ParameterList({ parameters }: { readonly parameters: readonly Parameter[] }): JSX.Element {
  return (
    <>
      <h4>{docsWords.parameters}</h4>
      <dl>
        {parameters.map(({ name, in: place, description, required, schema }) => (
          <div key={`${place} ${name}`}>
            <dt>
              <code>{name}</code>{" "}
              <span class="quiet">
                {docsWords.parameter(place, typeText(schema), required && place !== "path")}
              </span>
            </dt>
            <dd>{plain(description)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface AnswerViewProps {
  readonly status: string;
  readonly answer: Answer;
  /** The summary describes an only response. */
  readonly isOnly: boolean;
  readonly schemas: Schemas;
}

function AnswerView({ status, answer, isOnly, schemas }: AnswerViewProps): JSX.Element {
  return (
    <>
      {Object.entries(answer.content).map(([type, media]) => (
        <div key={type} class="part">
          <h4>
            {docsWords.answer(status)} <span class="quiet">{type}</span>
          </h4>
          {!isOnly && <p>{plain(answer.description)}.</p>}
          {type === "text/event-stream" && <p class="quiet">{docsWords.event}</p>}
          <MediaView media={media} schemas={schemas} />
        </div>
      ))}
    </>
  );
}

/** The error codes are listed once for all routes. */
export function firstSentence(answer: Answer | undefined): string {
  return plain(answer?.description ?? "").split(". Codes:")[0] ?? "";
}

function plain(text: string): string {
  return text.replaceAll("`", "");
}
