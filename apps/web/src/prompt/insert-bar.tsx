import type { SystemPromptVariable } from "@incipit/schema";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useState } from "preact/hooks";
import { Button } from "../controls/fields.tsx";
import { promptWords } from "../text/prompt-words.ts";
import { FilePicker } from "./file-picker.tsx";
import type { TemplateEditor } from "./template-editor.ts";
import { isVariable } from "./template-tags.ts";

interface InsertBarProps {
  readonly variables: readonly SystemPromptVariable[];
  readonly editor: TemplateEditor | undefined;
  /** `""`: host's working folder. */
  readonly cwd: string;
}

const fileType = "file";

export const InsertBar = memo(({ variables, editor, cwd }: InsertBarProps): JSX.Element => {
  const said = promptWords.insert;
  const [names, setNames] = useState<Readonly<Record<string, string>>>({ [fileType]: "AGENTS.md" });
  const [on, setOn] = useState(`${fileType}:`);
  const [notice, setNotice] = useState("");
  const [hint, setHint] = useState<string>(said.hint);
  // Screen readers read the description from the button.
  const point = (description: string): void => {
    setHint(description);
    setNotice("");
  };
  const insert = (text: string): void => {
    editor?.insert(text);
    setNotice(said.inserted(text));
  };
  const variable = on.endsWith(":") ? on + (names[on.slice(0, -1)] ?? "").trim() : on;
  const canDepend = editor !== undefined && isVariable(variable);
  const surround = (negation: "" | "!"): void => {
    const before = `[if ${negation}${variable}]`;
    editor?.surround(before, "[endif]");
    setNotice(said.inserted(`${before}…[endif]`));
  };
  const addElse = (): void => {
    const place = editor?.placeForElse();
    if (place === "outside") setNotice(said.elseOutside);
    else if (place === "taken") setNotice(said.elseTwice);
    else insert("[else]");
  };
  return (
    <details class="insert" open={matchMedia("(width >= 48rem)").matches}>
      <summary>{said.title}</summary>
      <div class="groups">
        {groupsOf(variables).map(([type, group]) => (
          <div key={type} class="group" role="group" aria-labelledby={`insert-${type}`}>
            <span id={`insert-${type}`} class="quiet">
              {titleOf(type)}
            </span>
            <div class="row">
              {group.map(({ name, description, dynamic }) =>
                dynamic === true ? (
                  <NamedVariable
                    key={name}
                    type={type}
                    name={names[type] ?? ""}
                    description={description}
                    isReady={editor !== undefined}
                    cwd={cwd}
                    onName={(text) => setNames({ ...names, [type]: text })}
                    onInsert={insert}
                  />
                ) : (
                  <button
                    key={name}
                    type="button"
                    class="variable"
                    title={description}
                    disabled={editor === undefined}
                    onClick={() => insert(`[${type}:${name}]`)}
                    onFocus={() => point(description)}
                    onMouseEnter={() => point(description)}
                  >
                    <code>{`${type}:${name}`}</code> <span class="unseen">{description}</span>
                  </button>
                ),
              )}
            </div>
          </div>
        ))}
        <div class="group" role="group" aria-labelledby="insert-condition">
          <span id="insert-condition" class="quiet">
            {said.condition}
          </span>
          <div class="row">
            <label>
              <span>{said.on}</span>{" "}
              <select value={on} onChange={({ currentTarget }) => setOn(currentTarget.value)}>
                {variables.map(({ type, name, dynamic }) => {
                  const value = dynamic === true ? `${type}:` : `${type}:${name}`;
                  return (
                    <option key={value} value={value}>
                      {dynamic === true ? `${type}:${names[type] ?? ""}` : value}
                    </option>
                  );
                })}
              </select>
            </label>
            <button type="button" disabled={!canDepend} onClick={() => surround("")}>
              <code>[if]</code> {said.if}
            </button>
            <button type="button" disabled={!canDepend} onClick={() => surround("!")}>
              <code>[if !]</code> {said.ifNot}
            </button>
            <button type="button" disabled={editor === undefined} onClick={addElse}>
              <code>[else]</code> {said.else}
            </button>
          </div>
        </div>
      </div>
      {notice === "" && (
        <p class="quiet" aria-hidden="true">
          {hint}
        </p>
      )}
      <p class="quiet" role="status">
        {notice}
      </p>
    </details>
  );
});

interface NamedVariableProps {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly isReady: boolean;
  readonly cwd: string;
  readonly onName: (name: string) => void;
  readonly onInsert: (text: string) => void;
}

function NamedVariable(props: NamedVariableProps): JSX.Element {
  const { type, name, description, isReady, cwd, onName, onInsert } = props;
  const said = promptWords.insert;
  const [isChoosing, setIsChoosing] = useState(false);
  const isFile = type === fileType;
  const isTag = isVariable(`${type}:${name.trim()}`);
  return (
    <>
      <form
        class="named"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && isTag) onInsert(`[${type}:${name.trim()}]`);
        }}
      >
        <label>
          <span class="unseen">{isFile ? said.path : said.named(type)}</span>
          <input
            value={name}
            spellcheck={false}
            dir="ltr"
            aria-describedby={`named-${type}`}
            onInput={({ currentTarget }) => onName(currentTarget.value)}
          />
        </label>
        {isFile && <Button text={promptWords.files.browse} onClick={() => setIsChoosing(true)} />}
        <Button text={isFile ? said.file : said.insertNamed(type)} type="submit" disabled={!isReady || !isTag} />
        <span id={`named-${type}`} class="quiet">
          {isFile ? said.pathHint : description}
        </span>
      </form>
      {isChoosing && (
        <FilePicker
          cwd={cwd}
          onChoose={(path) => {
            onName(path);
            onInsert(`[${type}:${path}]`);
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </>
  );
}

function groupsOf(
  variables: readonly SystemPromptVariable[],
): readonly (readonly [string, readonly SystemPromptVariable[]])[] {
  return [...Map.groupBy(variables, ({ type }) => type)];
}

const titles: Readonly<Record<string, string>> = promptWords.insert.types;

function titleOf(type: string): string {
  return Object.hasOwn(titles, type) ? (titles[type] ?? type) : type;
}
