/** A modal question. The browser keeps the focus inside; afterwards it goes back to where it was. */

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  /** The answer that changes nothing; Escape gives it too. */
  safe: string;
  onSafe: () => void;
  /** The answer that acts. */
  act: string;
  onAct: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, safe, onSafe, act, onAct, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Before anything is painted: a key that comes in between would go to the page behind.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    // A dialog that is taken out of the page gives nothing back by itself, and while it is open nothing else takes it.
    return () => {
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onSafe();
      }}
    >
      <h2 id={heading}>{title}</h2>
      <div class="dialog-body">{children}</div>
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={onSafe} autofocus>
          {safe}
        </button>
        <button type="button" class="button primary" onClick={onAct}>
          {act}
        </button>
      </div>
    </dialog>
  );
}
