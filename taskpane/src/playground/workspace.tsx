/** The page with a document: its header, the document, the pane beside it. */

import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n/t";
import type { Api } from "../session/api";
import { socketUrl } from "../session/api";
import type { SampleView } from "../session/messages";
import { Session } from "../session/session";
import type { SessionState } from "../session/state";
import { mountPane } from "../ui/pane";
import { Icon, Spinner } from "../ui/icons";
import { useSessionState } from "../ui/hooks";
import { DocumentView } from "../view/document-view";
import { OpenButton } from "./open-button";
import { PlaygroundHost } from "./playground-host";
import { Logo, useSamples } from "./welcome";

import "../view/view.css";

interface WorkspaceProps {
  api: Api;
  token: string;
  sessionId: string;
  /** The user has just opened it, as against a page that was loaded again. */
  fresh: boolean;
  opening: string | null;
  onFile: (file: File) => void;
  onSample: (sample: SampleView) => void;
  /** Open `bytes` as a new session, with the page's token fetched anew. */
  onReopen: (name: string, bytes: ArrayBuffer | null) => void;
  /** Called when the session's state changes, so that the page knows whether something would be lost. */
  onState: (state: SessionState) => void;
  /** Called when the user downloads the document, with the revision that the page knows. */
  onDownload: (revision: number) => void;
}

type Side = "document" | "requests";
type Drawing = "drawing" | "drawn" | "failed";

export function Workspace(props: WorkspaceProps) {
  const { api, token, sessionId, fresh, opening, onFile, onSample, onReopen, onState, onDownload } =
    props;
  const paper = useRef<HTMLDivElement>(null);
  const paneRoot = useRef<HTMLDivElement>(null);
  const [session, setSession] = useState<Session | null>(null);
  const [side, setSide] = useState<Side>("requests");
  const [drawing, setDrawing] = useState<Drawing>("drawing");

  useEffect(() => {
    if (!paper.current || !paneRoot.current) return;
    setDrawing("drawing");
    const view = new DocumentView(paper.current);
    const host = new PlaygroundHost(sessionId, view, api, {
      onShow: () => setSide("document"),
      onDrawn: (error) => {
        if (error) console.error(error);
        setDrawing(error ? "failed" : "drawn");
      },
    });
    const opened = new Session(sessionId, host, api, { url: socketUrl(), token });
    let requests = opened.state.requests.length;
    const unsubscribe = opened.subscribe(() => {
      const { state } = opened;
      onState(state);
      if (state.requests.length > requests && requests > 0) host.clearMarks();
      requests = state.requests.length;
    });
    const unmount = mountPane(paneRoot.current, {
      session: opened,
      focus: fresh,
      onEnded: {
        text: t("playground.reopen"),
        act: () => onReopen(opened.state.document?.name ?? "", host.lastBytes),
      },
    });
    setSession(opened);
    opened.start();
    return () => {
      unsubscribe();
      unmount();
      opened.dispose();
      host.dispose();
      setSession(null);
    };
  }, [sessionId, token]);

  return (
    <div class="workspace" data-side={side}>
      <WorkspaceHeader
        api={api}
        session={session}
        sessionId={sessionId}
        opening={opening}
        onFile={onFile}
        onSample={onSample}
        onDownload={onDownload}
        side={side}
        onSide={setSide}
      />
      <section class="document" aria-label={t("view.label")}>
        <div class="paper" ref={paper} tabIndex={0} role="group" aria-label={t("view.paper")} />
        {drawing === "drawing" && (
          <p class="drawing" role="status">
            <Spinner />
            {t("view.drawing")}
          </p>
        )}
        {drawing === "failed" && (
          <p class="drawing" role="alert">
            {t("view.failed")}
          </p>
        )}
        <p class="preview-note">{t("view.preview")}</p>
      </section>
      <div class="pane-root" ref={paneRoot} />
    </div>
  );
}

interface WorkspaceHeaderProps {
  api: Api;
  session: Session | null;
  sessionId: string;
  opening: string | null;
  onFile: (file: File) => void;
  onSample: (sample: SampleView) => void;
  onDownload: (revision: number) => void;
  side: Side;
  onSide: (side: Side) => void;
}

function WorkspaceHeader(props: WorkspaceHeaderProps) {
  const { api, session, sessionId, opening, onFile, onSample, onDownload, side, onSide } = props;
  const samples = useSamples(api);
  const menu = useRef<HTMLDivElement>(null);
  return (
    <header class="top">
      <p class="brand">
        <Logo />
        <span>{t("app.name")}</span>
      </p>
      {session && <DocumentName session={session} />}
      <div class="top-buttons">
        {opening !== null && <Spinner />}
        <OpenButton label={t("playground.open.short")} onFile={onFile} />
        {samples.length > 0 && (
          <>
            <button type="button" class="button" popovertarget="samples-menu">
              {t("playground.samples.short")}
              <Icon name="chevron" />
            </button>
            <div id="samples-menu" class="menu" popover="auto" ref={menu}>
              {samples.map((sample) => (
                <button
                  key={sample.id}
                  type="button"
                  class="sample"
                  onClick={() => {
                    menu.current?.hidePopover();
                    onSample(sample);
                  }}
                >
                  <Icon name="document" />
                  <span>
                    <strong>{sample.name}</strong>
                    <span>{sample.description}</span>
                  </span>
                </button>
              ))}
            </div>
          </>
        )}
        {session && (
          <DownloadLink
            session={session}
            href={api.documentPath(sessionId)}
            onDownload={onDownload}
          />
        )}
      </div>
      <SideSwitch side={side} onSide={onSide} />
    </header>
  );
}

function DocumentName({ session }: { session: Session }) {
  const { document } = useSessionState(session);
  return <p class="document-name">{document?.name}</p>;
}

interface DownloadLinkProps {
  session: Session;
  href: string;
  onDownload: (revision: number) => void;
}

function DownloadLink({ session, href, onDownload }: DownloadLinkProps) {
  const { document } = useSessionState(session);
  const name = document?.name ?? "";
  return (
    <a
      class="button primary"
      href={href}
      download={name}
      onClick={() => document && onDownload(document.revision)}
      aria-label={t("playground.download.named", { name })}
    >
      <Icon name="download" />
      {t("playground.download")}
    </a>
  );
}

/** Beside each other where there is room; on a narrow screen one at a time. */
function SideSwitch({ side, onSide }: { side: Side; onSide: (side: Side) => void }) {
  return (
    <div class="side-switch" role="group" aria-label={t("playground.view.switch")}>
      {(["document", "requests"] as const).map((one) => (
        <button key={one} type="button" aria-pressed={side === one} onClick={() => onSide(one)}>
          {t(`playground.view.${one}`)}
        </button>
      ))}
    </div>
  );
}
