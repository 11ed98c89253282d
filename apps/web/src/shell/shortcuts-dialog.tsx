import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Command } from "../controls/commands.ts";
import { Button, Checkbox } from "../controls/fields.tsx";
import { useModal } from "../controls/use-modal.ts";
import { words } from "../text/words.ts";
import { areSingleKeysOn, setSingleKeys } from "./single-keys.ts";

interface ShortcutsProps {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

export function ShortcutsDialog({ commands, onClose }: ShortcutsProps): JSX.Element {
  const said = words.commands;
  const dialog = useModal();
  const [isOn, setIsOn] = useState(areSingleKeysOn);
  const keyed = commands.flatMap(({ id, key, label }) => (key === undefined ? [] : [{ id, key, label }]));
  const always = said.always.map(([key, label]) => ({ id: key, key, label }));
  return (
    <dialog ref={dialog} aria-labelledby="shortcuts-title" onClose={onClose}>
      <h2 id="shortcuts-title">{said.shortcuts}</h2>
      <table class="shortcuts">
        <thead class="quiet">
          <tr>
            <th scope="col">{said.key}</th>
            <th scope="col">{said.does}</th>
          </tr>
        </thead>
        <tbody>
          {[...always, ...(isOn ? keyed : [])].map(({ id, key, label }) => (
            <tr key={id}>
              <td>
                {key.split(", ").map((one) => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </td>
              <td>{label}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Checkbox
        label={said.singleKeys}
        isChecked={isOn}
        onCheck={(isChecked) => {
          setSingleKeys(isChecked);
          setIsOn(areSingleKeysOn());
        }}
      />
      <form method="dialog" class="row">
        <Button text={said.close} type="submit" />
      </form>
    </dialog>
  );
}
