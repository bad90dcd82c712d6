/** Where the user writes. Never blocked: what is written while a request is at work joins the queue. */

import type { RefObject } from "preact";

import { t } from "../i18n/t";
import { Icon } from "./icons";

interface RequestBoxProps {
  draft: string;
  box: RefObject<HTMLTextAreaElement | null>;
  working: boolean;
  stopping: boolean;
  onDraft: (text: string) => void;
  onSend: () => void;
  onStop: () => void;
}

const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

export function RequestBox(props: RequestBoxProps) {
  const { draft, box, working, stopping, onDraft, onSend, onStop } = props;
  const send = () => {
    onSend();
    box.current?.focus();
  };
  return (
    <form
      class="request-box"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label for="request" class="visually-hidden">
        {t("request.label")}
      </label>
      <textarea
        id="request"
        ref={box}
        rows={2}
        value={draft}
        placeholder={t("request.placeholder")}
        aria-describedby="request-hint"
        onInput={(event) => onDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          // An IME's Enter picks a candidate.
          if (event.key !== "Enter" || event.isComposing || !(event.ctrlKey || event.metaKey))
            return;
          event.preventDefault();
          send();
        }}
      />
      <div class="request-row">
        <span id="request-hint" class="hint">
          {t(working ? "request.hint.working" : "request.hint", { key: COMMAND_KEY })}
        </span>
        {working && (
          <button type="button" class="button" disabled={stopping} onClick={onStop}>
            <Icon name="stop" />
            {t(stopping ? "request.stopping" : "request.stop")}
          </button>
        )}
        <button type="submit" class="button primary" disabled={draft.trim() === ""}>
          <Icon name="send" />
          {t(working ? "request.queue" : "request.send")}
        </button>
      </div>
    </form>
  );
}
