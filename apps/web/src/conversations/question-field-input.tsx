import type { AnswerValue, QuestionField } from "@incipit/schema";
import type { JSX, TargetedInputEvent } from "preact";
import { words } from "../text/words.ts";

const said = words.question;

interface FieldProps {
  readonly field: QuestionField;
  readonly id: string;
  readonly place: number;
  readonly value: AnswerValue | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: AnswerValue | undefined) => void;
}

export function QuestionFieldInput(props: FieldProps): JSX.Element {
  const { field, id, problem } = props;
  const { name, title = name, description, isRequired, looksSecret } = field;
  const label = (
    <>
      <span dir="auto">{title === "" ? name : title}</span>
      {isRequired && <span class="quiet"> ({said.required})</span>}
    </>
  );
  const notes = (
    <>
      {description !== undefined && (
        <p id={`${id}-about`} class="quiet" dir="auto">
          {description}
        </p>
      )}
      {looksSecret === true && (
        <p id={`${id}-secret`} class="problem">
          {said.secret}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} class="problem" role="alert">
          {`${title === "" ? name : title} ${problem}`}
        </p>
      )}
    </>
  );
  if (field.kind === "choices")
    return (
      <fieldset aria-describedby={describedBy(props)}>
        <legend>{label}</legend>
        <Choices {...props} field={field} />
        {notes}
      </fieldset>
    );
  return (
    <div class="question-field">
      <label for={id}>{label}</label>
      <Control {...props} />
      {notes}
    </div>
  );
}

function describedBy({ id, field: { description, looksSecret }, problem }: FieldProps): string {
  return [
    ...(description === undefined ? [] : [`${id}-about`]),
    ...(looksSecret === true ? [`${id}-secret`] : []),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ].join(" ");
}

function Control(props: FieldProps): JSX.Element {
  const { field, id, place, value, problem, onChange } = props;
  const common = {
    id,
    "data-field": place,
    "aria-required": field.isRequired,
    "aria-invalid": problem !== undefined,
    "aria-describedby": describedBy(props),
  };
  if (field.kind === "boolean" || field.kind === "choice") {
    const options =
      field.kind === "choice"
        ? field.options
        : [
            { value: "true", title: said.yes },
            { value: "false", title: said.no },
          ];
    const chosen = value === undefined ? -1 : options.findIndex((option) => option.value === String(value));
    return (
      <select
        {...common}
        value={String(chosen)}
        onChange={({ currentTarget }) => {
          const option = options[Number(currentTarget.value)]?.value;
          onChange(option === undefined || field.kind === "choice" ? option : option === "true");
        }}
      >
        <option value="-1">{said.nothing}</option>
        {options.map((option, index) => (
          <option key={option.value} value={String(index)}>
            {option.title}
          </option>
        ))}
      </select>
    );
  }
  const text = value === undefined ? "" : String(value);
  if (field.kind === "number")
    return (
      <input
        {...common}
        type="text"
        inputMode={field.isInteger ? "numeric" : "decimal"}
        value={text}
        autoComplete="off"
        onInput={({ currentTarget }) => onChange(numberOf(currentTarget.value))}
      />
    );
  const input = {
    ...common,
    value: text,
    autoComplete: "off",
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
      onChange(currentTarget.value === "" ? undefined : currentTarget.value),
  };
  const { format } = field.kind === "text" ? field : { format: undefined };
  if (format === "date") return <input {...input} type="date" />;
  return (
    <input
      {...input}
      type="text"
      inputMode={format === "email" || format === "uri" ? inputModes[format] : "text"}
    />
  );
}

const inputModes = { email: "email", uri: "url" } as const;

/** Invalid numbers stay text, which validation reports. */
function numberOf(text: string): AnswerValue | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
}

function Choices({
  field: { options },
  place,
  value,
  problem,
  onChange,
}: FieldProps & { readonly field: Extract<QuestionField, { kind: "choices" }> }): JSX.Element {
  const chosen = Array.isArray(value) ? value : [];
  return (
    <>
      {options.map((option, index) => (
        <label key={option.value}>
          <input
            type="checkbox"
            data-field={index === 0 ? place : undefined}
            aria-invalid={problem !== undefined}
            checked={chosen.includes(option.value)}
            onChange={({ currentTarget }) => {
              const now = options
                .map((known) => known.value)
                .filter((known) => (known === option.value ? currentTarget.checked : chosen.includes(known)));
              onChange(now.length === 0 ? undefined : now);
            }}
          />
          <span dir="auto">{option.title}</span>
        </label>
      ))}
    </>
  );
}
