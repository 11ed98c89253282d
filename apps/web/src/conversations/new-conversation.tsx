import type { CreateTurnRequest } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { goTo } from "../place/place.ts";
import { useLoad } from "../session/use-load.ts";
import { words } from "../text/words.ts";
import { Composer } from "./composer.tsx";
import { sendMessage } from "./send-message.ts";

/** The first message begins the conversation. */
export function NewConversation(): JSX.Element {
  const [model, setModel] = useState("");
  const [error, setError] = useState<unknown>();
  const { loaded } = useLoad((signal) => api.call(routes.listModels, { signal }), []);
  const models = loaded.state === "ready" ? loaded.value.models : [];
  const send = async (input: CreateTurnRequest["input"]): Promise<void> => {
    setError(undefined);
    try {
      const body = model === "" ? {} : { model };
      const { conversation } = await api.call(routes.createConversation, { body });
      await sendMessage(conversation.id, input);
      goTo({ view: "conversations", id: conversation.id });
    } catch (cause) {
      setError(cause);
      throw cause;
    }
  };
  const chosen = models.find(({ id, isDefault }) => (model === "" ? isDefault : id === model));
  return (
    <div class="new">
      <h1>{words.conversations.new}</h1>
      <label>
        {words.composer.model}{" "}
        <select value={model} onChange={({ currentTarget }) => setModel(currentTarget.value)}>
          {models.map(({ id, isDefault }) => (
            <option key={id} value={isDefault ? "" : id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      {chosen?.problem !== null && chosen !== undefined && <p class="quiet">{chosen.problem}</p>}
      {error !== undefined && <Problem error={error} />}
      <Composer place="new" isRunning={false} onSend={send} />
    </div>
  );
}
