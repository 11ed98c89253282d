import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Button, submitting, TextField } from "../controls/fields.tsx";
import { useTrying } from "../controls/problem.tsx";
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
  const { trying, problem } = useTrying();
  const make = async (): Promise<void> => {
    const zone = kind === "every" || timeZone.trim() === "" ? {} : { timeZone: timeZone.trim() };
    const body = { id: id.trim(), task, [kind]: value.trim(), ...zone };
    const { schedule } = await api.call(routes.createSchedule, { body });
    setId("");
    setTask("");
    setValue("");
    onMade(schedule.id);
  };
  return (
    <form class="new-task" aria-labelledby="new-task" onSubmit={submitting(() => trying(make))}>
      <h3 id="new-task">{said.title}</h3>
      <TextField
        label={said.id}
        value={id}
        required
        maxLength={64}
        placeholder={said.idHint}
        spellcheck={false}
        onText={setId}
      />
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
        <TextField
          label={said.value[kind]}
          value={value}
          required
          placeholder={said.hints[kind]}
          spellcheck={false}
          onText={setValue}
        />
        {kind !== "every" && (
          <TextField label={said.timeZone} value={timeZone} spellcheck={false} onText={setTimeZone} />
        )}
      </div>
      {problem}
      <Button text={said.make} type="submit" class="main" />
    </form>
  );
}
