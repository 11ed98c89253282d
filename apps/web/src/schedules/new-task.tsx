import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { scheduleWords } from "../text/schedule-words.ts";

const said = scheduleWords.new;
const kinds = ["cron", "every", "at"] as const;
type Kind = (typeof kinds)[number];

export function NewTask({ onMade }: { readonly onMade: (id: string) => void }): JSX.Element {
  const [id, setId] = useState("");
  const [task, setTask] = useState("");
  const [kind, setKind] = useState<Kind>("cron");
  const [value, setValue] = useState("");
  // The user's time zone rather than the host's.
  const [timeZone, setTimeZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [error, setError] = useState<unknown>();
  const make = async (): Promise<void> => {
    setError(undefined);
    const zone = kind === "every" || timeZone.trim() === "" ? {} : { timeZone: timeZone.trim() };
    try {
      const body = { id: id.trim(), task, [kind]: value.trim(), ...zone };
      const { schedule } = await api.call(routes.createSchedule, { body });
      setId("");
      setTask("");
      setValue("");
      onMade(schedule.id);
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <form
      class="new-task"
      aria-labelledby="new-task"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <h3 id="new-task">{said.title}</h3>
      <label>
        <span>{said.id}</span>
        <input
          value={id}
          required
          maxLength={64}
          placeholder={said.idHint}
          spellcheck={false}
          onInput={({ currentTarget }) => setId(currentTarget.value)}
        />
      </label>
      <label>
        <span>{said.task}</span>
        <textarea
          value={task}
          required
          rows={3}
          dir="auto"
          onInput={({ currentTarget }) => setTask(currentTarget.value)}
        />
      </label>
      <fieldset>
        <legend>{said.kind}</legend>
        {kinds.map((known) => (
          <label key={known}>
            <input type="radio" name="kind" checked={kind === known} onChange={() => setKind(known)} />{" "}
            {said.kinds[known]}
          </label>
        ))}
      </fieldset>
      <div class="row">
        <label>
          <span>{said.value[kind]}</span>
          <input
            value={value}
            required
            placeholder={said.hints[kind]}
            spellcheck={false}
            onInput={({ currentTarget }) => setValue(currentTarget.value)}
          />
        </label>
        {kind !== "every" && (
          <label>
            <span>{said.timeZone}</span>
            <input
              value={timeZone}
              spellcheck={false}
              onInput={({ currentTarget }) => setTimeZone(currentTarget.value)}
            />
          </label>
        )}
      </div>
      {error !== undefined && <Problem error={error} />}
      <button type="submit" class="main">
        {said.make}
      </button>
    </form>
  );
}
