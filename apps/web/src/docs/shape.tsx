import type { JSX } from "preact";
import { CodeBlock } from "../controls/code-block.tsx";
import { docsWords } from "../text/docs-words.ts";
import { nameOf, type Media, type SchemaNode, type Schemas } from "./api-document.ts";
import { namesIn, typeText } from "./type-text.ts";

interface ShapeProps {
  readonly node: SchemaNode;
  readonly schemas: Schemas;
}

/** Displays a schema. A bare reference is replaced with its target. */
export function Shape({ node, schemas }: ShapeProps): JSX.Element {
  const own = typeof node["$ref"] === "string" ? nameOf(node["$ref"]) : undefined;
  const shown = own === undefined ? node : (schemas[own] ?? {});
  const names = namesIn(shown);
  if (own !== undefined && isUnion(shown))
    return (
      <p>
        <ShapeLink name={own} />
      </p>
    );
  return (
    <>
      {own !== undefined && (
        <p>
          <ShapeLink name={own} />
        </p>
      )}
      <CodeBlock code={typeText(shown).trimStart()} language="typescript" />
      {names.length > 0 && (
        <p class="quiet">
          {docsWords.shapesUsed}{" "}
          {names.map((name, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <ShapeLink name={name} />
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function ShapeLink({ name }: { readonly name: string }): JSX.Element {
  return (
    <a class="shape" href={`#${name}`}>
      {name}
    </a>
  );
}

function isUnion(node: SchemaNode): boolean {
  return "oneOf" in node;
}

export function MediaView({ media, schemas }: { readonly media: Media; readonly schemas: Schemas }): JSX.Element {
  const { schema, example } = media;
  return (
    <>
      <Shape node={schema} schemas={schemas} />
      {example !== undefined && (
        <>
          <p class="quiet">{docsWords.example}</p>
          <CodeBlock
            code={typeof example === "string" ? example : JSON.stringify(example, null, 2)}
            language="json"
          />
        </>
      )}
    </>
  );
}
