/** The playground: the pane beside a document in a plain browser page. No Office.js here. */

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n/t";
import { Api, ApiError, pageToken } from "../session/api";
import type { DocumentOpened } from "../session/messages";
import type { SessionState } from "../session/state";
import { holdsUnsaved } from "../session/state";
import { Dialog } from "../ui/dialog";
import { Problems } from "../ui/bars";
import { Welcome } from "./welcome";
import { Workspace } from "./workspace";

import "../ui/tokens.css";
import "../ui/base.css";
import "./playground.css";

/** Survives a reload of this tab, and is not shared with another one. */
const SESSION_KEY = "stet-session";

interface Opened {
  id: string;
  fresh: boolean;
}

interface Problem {
  id: number;
  code: string;
  message: string;
}

function Playground() {
  const [token, setToken] = useState(pageToken);
  const [api, setApi] = useState(() => new Api(token));
  const [opened, setOpened] = useState<Opened | null>(() => {
    const id = sessionStorage.getItem(SESSION_KEY);
    return id ? { id, fresh: false } : null;
  });
  const [opening, setOpening] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [replacing, setReplacing] = useState<(() => void) | null>(null);
  const state = useRef<SessionState | null>(null);
  /** Revision of the open document that was downloaded last. */
  const downloaded = useRef<number | null>(null);

  const say = (code: string, message: string) =>
    setProblems((before) => [{ id: 1 + (before[0]?.id ?? 0), code, message }]);

  const open = async (name: string, post: (api: Api) => Promise<DocumentOpened>, using = api) => {
    setOpening(name);
    setProblems([]);
    try {
      const { session } = await post(using);
      sessionStorage.setItem(SESSION_KEY, session);
      downloaded.current = null;
      setOpened({ id: session, fresh: true });
    } catch (error) {
      const known = error instanceof ApiError ? error : null;
      if (!known) console.error(error);
      const unreachable = !known || known.code === "UNREACHABLE";
      say(known?.code ?? "UNEXPECTED", unreachable ? t("problem.unreachable") : known.message);
    } finally {
      setOpening(null);
    }
  };

  /** Ask first when steps would be lost. */
  const replaceBy = (act: () => void) => {
    if (opened && state.current && holdsUnsaved(state.current, downloaded.current))
      setReplacing(() => act);
    else act();
  };
  const onFile = (file: File) => {
    if (!/\.doc[xm]$/i.test(file.name)) {
      say("NOT_DOCX", t("playground.not_docx", { name: file.name }));
      return;
    }
    replaceBy(() => void open(file.name, (api) => api.openDocument(file.name, file)));
  };
  /** The server was started again or has closed the session: the bytes on the page start a new one. */
  const onReopen = async (name: string, bytes: ArrayBuffer | null) => {
    const fresh = await freshToken();
    const freshApi = new Api(fresh);
    setToken(fresh);
    setApi(freshApi);
    if (bytes) {
      await open(name, (api) => api.openDocument(name, new Blob([bytes])), freshApi);
    } else {
      sessionStorage.removeItem(SESSION_KEY);
      setOpened(null);
      say("GONE", t("playground.gone"));
    }
  };

  const isDragging = useDrop(onFile);
  return (
    <div class="playground">
      <div class="notices">
        <Problems problems={problems} onDismiss={() => setProblems([])} />
      </div>
      {opened ? (
        <Workspace
          key={opened.id}
          api={api}
          token={token}
          sessionId={opened.id}
          fresh={opened.fresh}
          opening={opening}
          onFile={onFile}
          onSample={(sample) =>
            replaceBy(() => void open(sample.name, (api) => api.openSample(sample.id)))
          }
          onReopen={(name, bytes) => void onReopen(name, bytes)}
          onState={(next) => (state.current = next)}
          onDownload={(revision) => (downloaded.current = revision)}
        />
      ) : (
        <Welcome
          api={api}
          opening={opening}
          onFile={onFile}
          onSample={(sample) => void open(sample.name, (api) => api.openSample(sample.id))}
        />
      )}
      {isDragging && <div class="drop-target">{t("playground.drop")}</div>}
      {replacing && (
        <Dialog
          title={t("playground.replace.title")}
          safe={t("dialog.cancel")}
          onSafe={() => setReplacing(null)}
          act={t("playground.replace.yes")}
          onAct={() => {
            setReplacing(null);
            replacing();
          }}
        >
          <p>{t("playground.replace.text", { name: state.current?.document?.name ?? "" })}</p>
        </Dialog>
      )}
    </div>
  );
}

/** Whether a file is being dragged over the page; a dropped one goes to `onFile`. */
function useDrop(onFile: (file: File) => void): boolean {
  const [isDragging, setDragging] = useState(false);
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!hasFile(event)) return;
      // Something on the page takes it (the request box takes pictures).
      const taken = event.defaultPrevented;
      event.preventDefault();
      setDragging(!taken);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFile(event)) return;
      setDragging(false);
      if (event.defaultPrevented) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) latest.current(file);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return isDragging;
}

/** The token of the server as it runs now, from the page that it serves now. */
async function freshToken(): Promise<string> {
  try {
    const page = await (await fetch(location.pathname, { cache: "no-store" })).text();
    const served = new DOMParser().parseFromString(page, "text/html");
    return pageToken(served);
  } catch {
    return pageToken();
  }
}

const root = document.getElementById("app");
if (root) render(<Playground />, root);
