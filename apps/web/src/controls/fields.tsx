import type { ButtonHTMLAttributes, ComponentChildren, HTMLAttributes, JSX, Ref } from "preact";

export interface ButtonProps extends Omit<ButtonHTMLAttributes, "type"> {
  readonly type?: "button" | "submit";
  readonly text: ComponentChildren;
}

/** Submits no form unless its type says so. */
export function Button({ text, ...attributes }: ButtonProps): JSX.Element {
  return (
    <button type="button" {...attributes}>
      {text}
    </button>
  );
}

/** A paragraph in the writing direction of its own text. */
export function Paragraph(attributes: HTMLAttributes<HTMLParagraphElement>): JSX.Element {
  return <p dir="auto" {...attributes} />;
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly class?: string;
  readonly type?: "number";
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly spellcheck?: boolean;
  readonly dir?: "auto" | "ltr";
  /** Id of a `datalist`. */
  readonly list?: string;
}

export function TextField({ label, onText, class: labelClass, ...attributes }: TextFieldProps): JSX.Element {
  return (
    <label class={labelClass}>
      <span>{label}</span> <input {...attributes} onInput={({ currentTarget }) => onText(currentTarget.value)} />
    </label>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly placeholder?: string;
  readonly ref?: Ref<HTMLInputElement>;
}

export function SearchField({ label, onText, placeholder = label, ...attributes }: SearchFieldProps): JSX.Element {
  return (
    <input
      type="search"
      {...attributes}
      placeholder={placeholder}
      aria-label={label}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}

interface CheckboxProps {
  readonly label: ComponentChildren;
  readonly isChecked: boolean;
  readonly class?: string;
  readonly onCheck: (isChecked: boolean) => void;
}

export function Checkbox({ label, isChecked, class: labelClass, onCheck }: CheckboxProps): JSX.Element {
  return (
    <label class={labelClass}>
      <input type="checkbox" checked={isChecked} onChange={({ currentTarget }) => onCheck(currentTarget.checked)} />{" "}
      {label}
    </label>
  );
}

interface SelectProps<Value extends string> {
  /** Shown beside the control, if it has no `aria-label`. */
  readonly label?: string;
  readonly "aria-label"?: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChoose: (value: Value) => void;
}

export function Select<Value extends string>({
  label,
  options,
  onChoose,
  ...props
}: SelectProps<Value>): JSX.Element {
  const select = (
    <select
      {...props}
      onChange={({ currentTarget }) => {
        const chosen = options.find(([value]) => value === currentTarget.value);
        if (chosen !== undefined) onChoose(chosen[0]);
      }}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  if (label === undefined) return select;
  return (
    <label>
      <span>{label}</span> {select}
    </label>
  );
}

/** For a form whose fields are handled here. */
export function submitting(save: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    save();
  };
}
